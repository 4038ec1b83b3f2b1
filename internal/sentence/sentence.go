// Package sentence judges what the user's words mean: a rule, a request, a question, chatter, a chore, pasted text,
// a farewell to the mission, a wish to be remembered, a sentence that outlives its session, or a sentence worth a
// record. Capture, suggestions and retrieval ask it, so that they agree. It judges strings alone: no journal,
// record, session or transcript may come in, no disk, and no clock. It rewords nothing: what it returns is a part
// of what it was given, but for white space.
//
// The judgements decide what is shown first and what a session's first task is. Every typed word is kept whatever
// they say, so in doubt they say nothing.
package sentence

// Package sentence judges the forms of what the user types: was it typed or pasted, is it a yes, a question, chatter, a
// chore, a request, plain words that end the mission, or words that call themselves a rule ("from now on"). It knows
// English; what it cannot judge is kept and ordered by its age, and Claude judges what it means. It judges strings
// alone: no journal, record, session or transcript may come in, no disk, and no clock. It rewords nothing: what it
// returns is a part of what it was given, but for white space.
//
// The judgements decide what is shown first and what a session's first task is. Every typed word is kept whatever
// they say, so in doubt they say nothing.
package sentence

// Package sentence says what words mean: whether they are a rule, a request, a question, chatter, a chore, something
// pasted, a farewell to the mission, or a wish to be remembered, and what kind of record they may be worth. It is asked
// by capture, by suggestions and by retrieval, so that they agree. It judges strings alone: no journal, record, session
// or transcript may come in, no disk, and no clock. It rewords nothing; what it returns is a part of what it was given.
//
// Its judgements decide what is shown first and what a session's first task is. Everything typed is kept whatever they
// say, so they prefer doing nothing to being clever.
package sentence

// Package inbox keeps what may be worth a record and nobody asked for: it weighs what was said (triage), and holds what passes until the
// user or Claude accepts or declines it. Of these nothing becomes a record by itself.
package inbox

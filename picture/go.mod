module github.com/mementohq/memento/picture

go 1.26.0

require (
	github.com/creack/pty v1.1.24
	github.com/mementohq/memento v0.0.0
)

replace github.com/mementohq/memento => ../

module github.com/mementohq/memento

go 1.25.0

require (
	github.com/go-git/go-billy/v5 v5.6.2
	github.com/go-git/go-git/v5 v5.16.2
	github.com/natefinch/atomic v1.0.1
	github.com/rogpeppe/go-internal v1.14.1
	github.com/tidwall/gjson v1.20.0
	github.com/tidwall/pretty v1.2.0
	github.com/tidwall/sjson v1.2.5
	golang.org/x/sys v0.42.0
	golang.org/x/term v0.41.0
	golang.org/x/text v0.30.0
	gopkg.in/yaml.v3 v3.0.1
	mvdan.cc/sh/v3 v3.13.1
)

require (
	github.com/cyphar/filepath-securejoin v0.4.1 // indirect
	github.com/go-git/gcfg v1.5.1-0.20230307220236-3a3c6141e376 // indirect
	github.com/jbenet/go-context v0.0.0-20150711004518-d14ea06fba99 // indirect
	github.com/pjbgf/sha1cd v0.3.2 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	golang.org/x/net v0.46.0 // indirect
	golang.org/x/tools v0.38.0 // indirect
	gopkg.in/warnings.v0 v0.1.2 // indirect
)

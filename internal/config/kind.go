package config

// Kind is what a person can set of one kind of record, under "kinds" in config.json.
type Kind struct {
	Enabled       bool    // false: no record of it is written unasked or shown unasked
	AutoCapture   bool    // false: none of it is written or suggested without being asked for
	Threshold     float64 // what the triage of a text must reach for it to be suggested
	RetentionDays int     // after which an active one is retired that was not updated since; -1: as the kind itself says, 0: never
	Max           int     // how many of a project stay active; 0: as the kind itself says
	Description   string  // what it is for, in the person's words
}

// Kind returns the settings for the kind of record called name.
func (c Config) Kind(name string) Kind {
	return Kind{Enabled: true, AutoCapture: true, Threshold: 0.5, RetentionDays: -1}
}

// Package config finds memento's folder and reads its settings: the environment first, then config.json, then the
// default. Load runs once, at start, and returns plain values. Only Set writes, when a person sets a value.
//
// It does not know which kinds of records exist; callers name them.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// Remind says how often memento reminds Claude of the journal, beside a prompt.
type Remind string

// The values of MEMENTO_REMIND.
const (
	RemindAuto   Remind = "auto"   // at the first prompt, and after 10 prompts or 30 minutes without an entry
	RemindAlways Remind = "always" // at every prompt
	RemindNever  Remind = "never"
)

// Past says how much is kept of the turns of all sessions.
type Past string

// The values of MEMENTO_PAST.
const (
	PastJournal Past = "journal" // nothing: what is typed lives in the journal and its history alone
	PastWords   Past = "words"   // what the user typed
	PastAnswers Past = "answers" // also what Claude answered
)

// Sync says when the machines are brought together.
type Sync string

// The values of MEMENTO_SYNC.
const (
	SyncOff  Sync = "off"  // when a person asks for it
	SyncAuto Sync = "auto" // also at the start and the end of each session
)

// Notify says when the person is told something, by a line of the client's.
type Notify string

// The values of MEMENTO_NOTIFY.
const (
	NotifyAuto   Notify = "auto"   // when something happened, or is new
	NotifyAlways Notify = "always" // also at the start of each session, where the work stands
	NotifyNever  Notify = "never"
)

// Config holds the settings of this process.
type Config struct {
	ClaudeDir string // ${CLAUDE_CONFIG_DIR:-~/.claude}: the client's own folder
	Dir       string // ClaudeDir/.memento: everything memento keeps
	Tag       string // instance tag, safe as part of a file name

	Enabled      bool
	MaxEntries   int // done entries kept in the journal: 4–24
	MaxFileBytes int // size of a journal on disk
	StaleDays    int
	BudgetTokens int  // block size at a session's first compaction
	BudgetSet    bool // whether BudgetTokens was set; then it holds for later compactions too
	Remind       Remind
	LaneTTL      time.Duration // a session that was silent for so long counts as ended, if its process is not known
	Debug        bool
	MaxInject    int  // most records shown beside a prompt
	GraceDays    int  // days until a retired record is archived
	PurgeRetired bool // delete those records instead of archiving them
	Past         Past
	PastDays     int // days until a turn is removed, 0 for never
	Sync         Sync
	Notify       Notify

	kinds string // the JSON under "kinds" in config.json; Kind reads it, because most hooks do not need it
}

// Setting is one value a person can set, as `memento config` shows it.
type Setting struct {
	Name    string `json:"name"`   // key in config.json
	Env     string `json:"env"`    // environment variable that wins over it
	Value   string `json:"value"`  // in force
	Source  string `json:"source"` // "environment", "config.json" or "default"
	Problem string `json:"problem,omitempty"`
	About   string `json:"-"`
}

// spec describes a setting of T: a Config, or the Kind of a record.
type spec[T any] struct {
	name, env, value, about string
	check                   check
	put                     func(of *T, value string) // stores the value in T
}

// check returns the value to use, "" for a value that cannot be used. The error says what is expected instead of the
// value given.
type check func(string) (string, error)

// specs lists the settings of memento.
func specs() []spec[Config] {
	return []spec[Config]{
		{"enabled", "MEMENTO_ENABLED", "true", "false: hooks do nothing", isBool,
			func(c *Config, v string) { c.Enabled = v == "true" }},
		{"instance_tag", "MEMENTO_INSTANCE_TAG", "", "who this instance is; default: the OS user name", anything,
			func(c *Config, v string) { c.Tag = v }},
		{"max_entries", "MEMENTO_MAX_ENTRIES", "6", "done entries kept in the journal (4–24)", between(4, 24),
			func(c *Config, v string) { c.MaxEntries = number(v) }},
		{"max_file_kb", "MEMENTO_MAX_FILE_KB", "6", "size of a journal in KB (4–64)", between(4, 64),
			func(c *Config, v string) { c.MaxFileBytes = number(v) << 10 }},
		{"stale_days", "MEMENTO_STALE_DAYS", "7",
			"days until old entries fold into the summary; twice that while the mission is open", between(1, 3650),
			func(c *Config, v string) { c.StaleDays = number(v) }},
		{"budget_tokens", "MEMENTO_BUDGET_TOKENS", "350",
			"size of the block in tokens (100–2000); unset, 1000 from a session's second compaction on",
			between(100, 2000), func(c *Config, v string) { c.BudgetTokens = number(v) }},
		{"remind", "MEMENTO_REMIND", "auto", "auto, always or never: the line beside a prompt",
			oneOf("auto", "always", "never"), func(c *Config, v string) { c.Remind = Remind(v) }},
		{"lane_ttl", "MEMENTO_LANE_TTL", "12", "hours of silence after which a session gives its journal up to the " +
			"next, where the system does not tell that it ended (1–720)", between(1, 720),
			func(c *Config, v string) { c.LaneTTL = time.Duration(number(v)) * time.Hour }},
		{"max_inject", "MEMENTO_MAX_INJECT", "3", "records that a prompt may bring (0–10)", between(0, 10),
			func(c *Config, v string) { c.MaxInject = number(v) }},
		{"grace_days", "MEMENTO_GRACE_DAYS", "30", "days until a retired record is archived (1–3650)",
			between(1, 3650), func(c *Config, v string) { c.GraceDays = number(v) }},
		{"archive_retired", "MEMENTO_ARCHIVE_RETIRED", "true",
			"false: a retired record is deleted after that time", isBool,
			func(c *Config, v string) { c.PurgeRetired = v == "false" }},
		{"past", "MEMENTO_PAST", "answers",
			"what is kept of each turn: journal (nothing beside it), words (yours) or " +
				"answers (also Claude's)", oneOf("journal", "words", "answers"),
			func(c *Config, v string) { c.Past = Past(v) }},
		{"past_days", "MEMENTO_PAST_DAYS", "0", "days until a turn is removed; 0: never", between(0, 36500),
			func(c *Config, v string) { c.PastDays = number(v) }},
		{"sync", "MEMENTO_SYNC", "off", "auto: sync at the start and the end of each session, once memento sync is set up",
			oneOf("off", "auto"), func(c *Config, v string) { c.Sync = Sync(v) }},
		{"notify", "MEMENTO_NOTIFY", "auto", "auto, always or never: the line that tells you what memento did",
			oneOf("auto", "always", "never"), func(c *Config, v string) { c.Notify = Notify(v) }},
		{"debug", "MEMENTO_DEBUG", "false", "keep a shadow journal of everything memento does", isBool,
			func(c *Config, v string) { c.Debug = v == "true" }},
	}
}

// ErrNoHome means that memento has no folder for its files.
var ErrNoHome = errors.New("no home folder: neither HOME nor CLAUDE_CONFIG_DIR is set")

// ErrValue means that a value does not fit its setting; config.json is unchanged.
var ErrValue = errors.New("nothing was changed")

// ErrNoObject means that config.json, or its entry for a kind of record, is not a JSON object; config.json is
// unchanged.
var ErrNoObject = errors.New("not a JSON object, so nothing was changed")

const maxConfigFile = 64 << 10 // bytes

// Load reads the settings. For a value that does not fit, it takes the next source; Settings reports such a value.
// Errors: ErrNoHome, with an empty Config; the disk's, with a Config from the environment and the defaults.
func Load(getenv func(string) string) (Config, error) {
	dir, err := claudeDir(getenv)
	if err != nil {
		return Config{}, err
	}
	c := Config{ClaudeDir: dir, Dir: filepath.Join(dir, ".memento")}
	file, err := readFile(c.Dir)
	for _, s := range specs() {
		v := s.resolve(getenv, file)
		s.put(&c, v.Value)
		if s.name == "budget_tokens" {
			c.BudgetSet = v.Source != "default"
		}
	}
	c.Tag = Tag(c.Tag, getenv)
	if file != "" {
		c.kinds = entry(file, "kinds").Raw
	}
	return c, err
}

// Settings lists every setting with its value and source, and then those of these kinds of records, which are called
// "kinds.NAME.FIELD".
func Settings(getenv func(string) string, kinds ...string) (out []Setting, err error) {
	dir, err := claudeDir(getenv)
	if err != nil {
		return nil, err
	}
	file, err := readFile(filepath.Join(dir, ".memento"))
	if err != nil {
		return nil, err
	}
	for _, s := range specs() {
		v := s.resolve(getenv, file)
		if s.name == "instance_tag" {
			v.Value = Tag(v.Value, getenv)
		}
		out = append(out, v)
	}
	all := entry(file, "kinds")
	for _, name := range kinds {
		given := entry(all.Raw, name)
		for _, f := range fields() {
			s := f.setting("kinds." + name + "." + f.name)
			if v := entry(given.Raw, f.name); v.Exists() {
				f.take(&s, v.String(), s.Name+" in config.json", "config.json")
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// resolve finds the value of a setting in the environment or in file, the text of config.json.
func (s spec[T]) resolve(getenv func(string) string, file string) Setting {
	out := s.setting(s.name)
	if v := getenv(s.env); v != "" && s.take(&out, v, s.env+"="+v, "environment") {
		return out
	}
	if v := gjson.Get(file, s.name); v.Exists() {
		s.take(&out, v.String(), s.name+" in config.json", "config.json")
	}
	return out
}

// setting returns the setting with its default value.
func (s spec[T]) setting(name string) Setting {
	return Setting{Name: name, Env: s.env, About: s.about, Value: s.value, Source: "default"}
}

// take gives the setting a value from a source. It reports whether the value can be used.
func (s spec[T]) take(out *Setting, given, where, source string) bool {
	used, err := s.check(given)
	if err != nil {
		out.Problem = problem(where, used, err)
	}
	if used != "" {
		out.Value, out.Source = used, source
	}
	return used != ""
}

// problem says what is wrong with the value at where, and which value is used instead.
func problem(where, used string, err error) string {
	where = text.Line(where)
	if used == "" {
		return fmt.Sprintf("%s is ignored: %v", where, err)
	}
	return fmt.Sprintf("%s: %v; %s is used", where, err, used)
}

// Set writes one setting into config.json under dir and keeps everything else in that file. An empty value removes the
// setting. A setting of a kind of record is called "kinds.NAME.FIELD"; the caller checks that the kind exists. Errors:
// an unknown name, ErrValue, ErrNoObject, safefile's; on an error the file is unchanged.
func Set(dir, name, value string) error {
	kind, field, ofKind := kindPath(name)
	check, plain, ok := find(specs(), name)
	if ofKind {
		check, plain, ok = find(fields(), field)
	}
	if !ok {
		return fmt.Errorf("unknown setting %q", name)
	}
	path := filepath.Join(dir, "config.json")
	unlock, err := safefile.LockIn(dir, "config", 5*time.Second)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := safefile.Read(path, maxConfigFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		data = []byte("{}")
	case err != nil:
		return err
	case !isObject(data):
		return fmt.Errorf("%s is %w", path, ErrNoObject)
	}
	used, err := check(value)
	switch {
	case value == "":
		data, err = sjson.DeleteBytes(data, name)
		for _, empty := range []string{"kinds." + kind, "kinds"} {
			if ofKind && err == nil && strings.Trim(gjson.GetBytes(data, empty).Raw, "{} \t\r\n") == "" {
				data, err = sjson.DeleteBytes(data, empty)
			}
		}
	case ofKind && !settable(data, kind):
		return fmt.Errorf("kinds.%s in %s is %w", kind, path, ErrNoObject)
	case err != nil:
		given, _ := text.Cut(value, 40)
		return fmt.Errorf("%s: %s: %w; %w", name, text.Quote(given), err, ErrValue)
	case plain == "true" || plain == "false":
		data, err = sjson.SetBytes(data, name, used == "true")
	case field == "threshold":
		data, err = sjson.SetRawBytes(data, name, []byte(used))
	case number(plain) != 0 || plain == "0":
		data, err = sjson.SetBytes(data, name, number(used))
	default: // a string: an instance may be called 007, or no
		data, err = sjson.SetBytes(data, name, used)
	}
	if err != nil {
		return fmt.Errorf("changing %s: %w", path, err)
	}
	return safefile.Replace(path, data, 0o600)
}

// find returns the check and the default value of the setting with this name.
func find[T any](all []spec[T], name string) (check check, plain string, ok bool) {
	for _, s := range all {
		if s.name == name {
			return s.check, s.value, true
		}
	}
	return nil, "", false
}

// settable reports whether config.json has room for a setting of this kind: its parents are objects or missing.
func settable(data []byte, kind string) bool {
	all := gjson.GetBytes(data, "kinds")
	one := all.Get(kind)
	return (!all.Exists() || all.IsObject()) && (!one.Exists() || one.IsObject())
}

// Problem says what is wrong with config.json as a whole: it is unreadable, not a JSON object, or has unknown settings.
// kinds are the kinds of records; without them, any name may be a kind. It returns "" for a file that is missing or
// sound.
func Problem(dir string, kinds ...string) string {
	path := filepath.Join(dir, "config.json")
	data, err := safefile.Read(path, maxConfigFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return fmt.Sprintf("config.json is ignored: %v", err)
	case !isObject(data):
		return path + " is ignored: it is not a JSON object"
	}
	var unknown []string
	gjson.ParseBytes(data).ForEach(func(k, v gjson.Result) bool {
		switch {
		case k.Str == "kinds":
			unknown = append(unknown, unknownKinds(v, kinds)...)
		case !slices.Contains(Names(), k.Str):
			unknown = append(unknown, text.Line(k.Str))
		}
		return true
	})
	if len(unknown) > 0 {
		return path + " has settings nobody reads: " + strings.Join(unknown, ", ")
	}
	return ""
}

// Damaged reports whether config.json is readable but not a JSON object.
func Damaged(dir string) bool {
	data, err := safefile.Read(filepath.Join(dir, "config.json"), maxConfigFile)
	return errors.Is(err, safefile.ErrTooLarge) || err == nil && !isObject(data)
}

func isObject(data []byte) bool { return gjson.ValidBytes(data) && gjson.ParseBytes(data).IsObject() }

// Name returns the name of a setting, which may be given by that name or by its environment variable; false if there is
// no such setting.
func Name(name string) (string, bool) {
	if _, _, ok := kindPath(name); ok {
		return name, true
	}
	for _, s := range specs() {
		if s.name == name || s.env == name {
			return s.name, true
		}
	}
	return "", false
}

// Names lists the settings, for help and completion.
func Names() []string {
	var out []string
	for _, s := range specs() {
		out = append(out, s.name)
	}
	return out
}

// claudeDir returns the client's own folder.
func claudeDir(getenv func(string) string) (string, error) {
	if dir := getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Abs(dir)
	}
	home := Home(getenv)
	if !filepath.IsAbs(home) {
		return "", ErrNoHome
	}
	return filepath.Join(home, ".claude"), nil
}

// Home returns the home folder that the client uses, "" if it is not known.
func Home(getenv func(string) string) string { return homeOf(getenv, runtime.GOOS == "windows") }

// homeOf prefers USERPROFILE on Windows, where hooks have no HOME and Git Bash may set another one. Elsewhere it
// prefers HOME: the Windows Subsystem for Linux may pass USERPROFILE on.
func homeOf(getenv func(string) string, windows bool) string {
	if windows {
		return cmp.Or(getenv("USERPROFILE"), getenv("HOME"))
	}
	return cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
}

// readFile returns the text of config.json, "" if it is missing or damaged: a bad file must not stop a hook. It returns
// the disk's errors, because the unread file may switch memento off.
func readFile(dir string) (string, error) {
	data, err := safefile.Read(filepath.Join(dir, "config.json"), maxConfigFile)
	if safefile.Unreadable(err) {
		return "", err
	}
	if err != nil || !gjson.ValidBytes(data) {
		return "", nil
	}
	return string(data), nil
}

// Tag makes the instance tag safe for a file name: the given name, or else the name of the OS user. Letters and digits
// of any script stay; other characters become a hyphen, so that `DOMAIN\bob` is DOMAIN-bob. Any other name that loses
// characters (`../x`) ends in a short hash of the given name, so that two names never share a journal.
func Tag(name string, getenv func(string) string) string {
	for _, v := range []string{name, getenv("USER"), getenv("LOGNAME"), getenv("USERNAME")} {
		if tag := safeTag(v); tag != "" {
			return tag
		}
	}
	if u, err := user.Current(); err == nil {
		if tag := safeTag(u.Username); tag != "" {
			return tag
		}
	}
	return "default"
}

// safeTag is Tag for one name, "" if no character of the name can stay.
func safeTag(s string) string {
	var b strings.Builder
	lossy := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || r == '_',
			r == '.' && b.Len() > 0:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
			lossy = lossy || r != '-'
		default:
			lossy = true
		}
	}
	tag := strings.Trim(b.String(), "-.")
	lossy = lossy || tag != b.String() || reserved(tag)
	if len(tag) > 48 {
		cut := 48
		for cut > 0 && tag[cut]&0xc0 == 0x80 {
			cut--
		}
		tag, lossy = strings.TrimRight(tag[:cut], "-."), true
	}
	if tag == "" || !lossy || plainDomain(s) && !reserved(tag) {
		return tag
	}
	h := fnv.New32a()
	h.Write([]byte(s))
	return fmt.Sprintf("%s-%04x", tag, h.Sum32()&0xffff)
}

// reserved reports whether a journal with this tag, outside any project, would have the name of another file of
// memento's.
func reserved(tag string) bool {
	named := func(name string) bool { return strings.EqualFold(tag, name) }
	return slices.ContainsFunc([]string{"config", "workspace", "paused", "erased", "inbox", "trusted"}, named) ||
		len(tag) > 6 && strings.EqualFold(tag[len(tag)-6:], ".debug")
}

// plainDomain reports whether s is a Windows DOMAIN\user name of ordinary characters without a hyphen in the user's
// name. Its tag needs no hash, because no other domain and name have the same tag.
func plainDomain(s string) bool {
	domain, name, ok := strings.Cut(s, `\`)
	return ok && domain != "" && name != "" && safeTag(domain) == domain && safeTag(name) == name &&
		!strings.Contains(name, "-")
}

func anything(s string) (string, error) { return s, nil }

func isBool(s string) (string, error) {
	switch strings.ToLower(s) {
	case "1", "true", "yes", "on":
		return "true", nil
	case "0", "false", "no", "off":
		return "false", nil
	}
	return "", errors.New("true or false is expected")
}

// between accepts whole numbers. For a number outside the range, it uses the nearer end.
func between(low, high int) check {
	return func(s string) (string, error) {
		n, err := strconv.Atoi(s)
		expected := fmt.Errorf("a whole number from %d to %d is expected", low, high)
		if err != nil {
			return "", expected
		}
		if used := max(low, min(n, high)); used != n {
			return strconv.Itoa(used), expected
		}
		return strconv.Itoa(n), nil
	}
}

func oneOf(values ...string) check {
	return func(s string) (string, error) {
		for _, v := range values {
			if strings.EqualFold(s, v) {
				return v, nil
			}
		}
		return "", fmt.Errorf("one of %s is expected", strings.Join(values, ", "))
	}
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // take has checked s
	return n
}

// Hint says what helps against the Problem of config.json in dir.
func Hint(dir string) string {
	path := filepath.Join(dir, "config.json")
	switch err := safefile.Check(path); {
	case err != nil:
		return safefile.InPlace(path)
	case Damaged(dir):
		return "memento doctor --fix sets it aside; mend it by hand to keep what it says"
	}
	return "take them out by hand; memento config lists those there are"
}

// SwitchOn is the step that switches memento on again. It depends on which setting switched it off.
func SwitchOn(getenv func(string) string) string {
	if getenv("MEMENTO_ENABLED") != "" {
		return "unset MEMENTO_ENABLED"
	}
	return "memento config enabled true"
}

// Package config answers where memento keeps its files and how it is set: environment first, then config.json,
// then the default. It reads once, at start, and hands out plain values; it writes only when a person sets a value.
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

// Remind says how often a prompt may be accompanied by a line about the journal.
type Remind string

// The values of MEMENTO_REMIND.
const (
	RemindAuto   Remind = "auto"   // at the first prompt, and after 10 prompts or 30 minutes without an entry
	RemindAlways Remind = "always" // at every prompt
	RemindNever  Remind = "never"
)

// Config is how memento is set for this process.
type Config struct {
	ClaudeDir string // ${CLAUDE_CONFIG_DIR:-~/.claude}: the client's own folder
	Dir       string // ClaudeDir/.memento: everything memento keeps
	Tag       string // instance tag, safe as part of a file name

	Enabled      bool
	MaxEntries   int // done entries kept in the journal: 4–24
	MaxFileBytes int // size of a journal on disk
	StaleDays    int
	BudgetTokens int  // block size at a session's first compaction
	BudgetSet    bool // whether someone chose BudgetTokens; if so it holds for later compactions too
	Remind       Remind
	// after how long a silence a session is taken for ended, where its process cannot be asked
	LaneTTL   time.Duration
	Debug     bool
	MaxInject int // records a prompt may bring
	GraceDays int // after which a retired record is archived

	PurgeRetired bool // what would be archived then is deleted

	kinds string // what config.json has under "kinds", as it stands: most hooks do not ask for it
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

// spec is a setting there is, of memento or of a kind of record (a T).
type spec[T any] struct {
	name, env, value, about string
	check                   check
	put                     func(of *T, value string) // where the value in force goes
}

// check returns the value as it will be used and, when that is not quite what was given, why. A nil first result
// ("") means that the value makes no sense at all.
type check func(string) (string, error)

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
		{"debug", "MEMENTO_DEBUG", "false", "keep a shadow journal of everything memento does", isBool,
			func(c *Config, v string) { c.Debug = v == "true" }},
	}
}

// ErrNoHome is the reason when no folder can be found to keep anything in.
var ErrNoHome = errors.New("no home folder: neither HOME nor CLAUDE_CONFIG_DIR is set")

// ErrValue is the reason when a value makes no sense for its setting; nothing was changed.
var ErrValue = errors.New("nothing was changed")

// ErrNoObject is the reason when config.json, or what it has for a kind of record, is not what can be added to; nothing
// was changed.
var ErrNoObject = errors.New("not a JSON object, so nothing was changed")

const maxConfigFile = 64 << 10

// Load reads the settings. getenv is os.Getenv outside tests. A setting that makes no sense falls back to the next
// source and never fails (Settings shows it as a problem). The error is ErrNoHome, with
// nothing filled in, or the disk's, with what the environment and the defaults say.
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

// Settings lists every setting with its value and where that comes from, then those of these kinds of record, as
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

// setting is what s is by default.
func (s spec[T]) setting(name string) Setting {
	return Setting{Name: name, Env: s.env, About: s.about, Value: s.value, Source: "default"}
}

// take gives the setting the value given at a source, and reports whether that makes sense there.
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

func problem(where, used string, err error) string {
	where = text.Line(where)
	if used == "" {
		return fmt.Sprintf("%s is ignored: %v", where, err)
	}
	return fmt.Sprintf("%s: %v; %s is used", where, err, used)
}

// Set writes one setting to config.json under dir, keeping everything else in that file; an empty value removes it. Of
// a kind of record it is called "kinds.NAME.FIELD"; whether there is such a kind the caller knows. Errors: an unknown
// name, a value that makes no sense, a config.json that is not valid JSON (left as it is).
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
	case !gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject():
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
	default: // an instance may be called 007, or no
		data, err = sjson.SetBytes(data, name, used)
	}
	if err != nil {
		return fmt.Errorf("changing %s: %w", path, err)
	}
	return safefile.Replace(path, data, 0o600)
}

// find returns how values of the setting with this name are checked, and its default.
func find[T any](all []spec[T], name string) (check check, plain string, ok bool) {
	for _, s := range all {
		if s.name == name {
			return s.check, s.value, true
		}
	}
	return nil, "", false
}

// settable reports whether a setting of this kind can be put into config.json: no other thing stands in its place.
func settable(data []byte, kind string) bool {
	all := gjson.GetBytes(data, "kinds")
	one := all.Get(kind)
	return (!all.Exists() || all.IsObject()) && (!one.Exists() || one.IsObject())
}

// Problem says what is wrong with config.json as a whole: not a JSON object, or names it does not know, those of kinds
// that are not among kinds too (none given: any may be one). "" when it is missing or in order.
func Problem(dir string, kinds ...string) string {
	path := filepath.Join(dir, "config.json")
	data, err := safefile.Read(path, maxConfigFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return fmt.Sprintf("config.json is ignored: %v", err)
	case !gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject():
		return path + " is ignored: it is not a JSON object"
	}
	var unknown []string
	gjson.ParseBytes(data).ForEach(func(k, v gjson.Result) bool {
		switch {
		case k.Str == "kinds":
			unknown = append(unknown, strange(v, kinds)...)
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

// Damaged reports whether config.json is there, can be read, and is not a JSON object.
func Damaged(dir string) bool {
	data, err := safefile.Read(filepath.Join(dir, "config.json"), maxConfigFile)
	return errors.Is(err, safefile.ErrTooLarge) || err == nil &&
		(!gjson.ValidBytes(data) || !gjson.ParseBytes(data).IsObject())
}

// Name returns the setting that name means: itself, or the one whose environment variable it is. One of a kind of
// record ("kinds.NAME.FIELD") is itself.
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

// Home returns the person's home folder, "" when it is not known: the one in which the client keeps its own.
func Home(getenv func(string) string) string { return homeOf(getenv, runtime.GOOS == "windows") }

// homeOf prefers what Windows says, where there is that: HOME is not set in a hook, and may be anything in Git Bash.
// Elsewhere a variable of Windows is one that a subsystem for Linux may pass on.
func homeOf(getenv func(string) string, windows bool) string {
	if windows {
		return cmp.Or(getenv("USERPROFILE"), getenv("HOME"))
	}
	return cmp.Or(getenv("HOME"), getenv("USERPROFILE"))
}

// readFile returns config.json, or "" when it is missing or unusable: a setting must never stand in the way. The error
// is the disk's: memento may be switched off in what could not be read.
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

// Tag returns the instance tag made safe for a file name: the name given, else the OS user name. Letters and digits
// of any script stay; anything else becomes a hyphen, so that `DOMAIN\bob` is DOMAIN-bob. Any other name that loses
// something by that (`../x`) ends in a short hash of what was given, so that two names never share a journal.
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

// reserved reports whether a journal of this name, in no project, would stand in the place of another file of
// memento's.
func reserved(tag string) bool {
	named := func(name string) bool { return strings.EqualFold(tag, name) }
	return slices.ContainsFunc([]string{"config", "workspace", "paused", "erased", "inbox"}, named) ||
		len(tag) > 6 && strings.EqualFold(tag[len(tag)-6:], ".debug")
}

// plainDomain reports whether s is a Windows DOMAIN\user name of ordinary characters, which needs no hash: without a
// hyphen in the name, there is no other domain and name that read the same.
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

// between accepts whole numbers, bringing one outside the range to its nearer end.
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
	n, _ := strconv.Atoi(s) // checked when it was resolved
	return n
}

// Hint is what to do about a config.json under dir that something is wrong with as a whole.
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

// SwitchOn is what turns memento on again, depending on what turned it off.
func SwitchOn(getenv func(string) string) string {
	if getenv("MEMENTO_ENABLED") != "" {
		return "unset MEMENTO_ENABLED"
	}
	return "memento config enabled true"
}

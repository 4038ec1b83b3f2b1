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

// The settings whose values are words.
type (
	Remind string // how often memento reminds Claude of the journal, beside a prompt
	Ask    string // when Claude is asked which of the user's words hold on
	Past   string // how much is kept of the turns of all sessions
	Sync   string // when the machines are brought together
	Notify string // when the person is told something, by a line of the client's
)

// The values of these settings.
const (
	RemindAuto   Remind = "auto"   // at the first prompt, and after 10 prompts or 30 minutes without an entry
	RemindAlways Remind = "always" // at every prompt
	RemindNever  Remind = "never"

	AskDaily  Ask = "daily"  // beside one prompt a day and project, at a compaction, and in the line about notes
	AskAlways Ask = "always" // beside a prompt of each session, also of one without a person
	AskNever  Ask = "never"

	PastJournal Past = "journal" // nothing: what is typed lives in the journal, and in the log as what left it
	PastWords   Past = "words"   // what the user typed
	PastAnswers Past = "answers" // also what Claude answered

	SyncOff  Sync = "off"  // when a person asks for it
	SyncAuto Sync = "auto" // also at the start and the end of each session

	NotifyAuto  Notify = "auto" // when something happened, or is new
	NotifyNever Notify = "never"
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
	Ask          Ask
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

// spec describes a setting.
type spec struct {
	name, value, about string
	check              func(given string) (used string, err error) // see isBool
}

// specs lists the settings of memento. The environment variable of a setting is MEMENTO_ and its name.
func specs() []spec {
	return []spec{
		{"enabled", "true", "false: hooks do nothing", isBool},
		{"instance_tag", "", "who this instance is; default: the OS user name", anything},
		{"max_entries", "6", "done entries kept in the journal (4–24)", between(4, 24)},
		{"max_file_kb", "6", "size of a journal in KB (4–64)", between(4, 64)},
		{"stale_days", "7", "days until an entry is summed up; double in an open mission", between(1, 3650)},
		{"budget_tokens", "350", "tokens of a block (100–2000); if unset, later ones 1000",
			between(100, 2000)},
		{"remind", "auto", "auto, always or never: the line beside a prompt", oneOf("auto", "always", "never")},
		{"ask", "daily", "daily, always or never: Claude is asked which words of yours hold on",
			oneOf("daily", "always", "never")},
		{"lane_ttl", "12", "hours of silence until the next session takes the journal (1–720)", between(1, 720)},
		{"max_inject", "3", "records that a prompt may bring (0–10)", between(0, 10)},
		{"grace_days", "30", "days until a retired record is archived (1–3650)", between(1, 3650)},
		{"archive_retired", "true", "false: retired records are deleted then", isBool},
		{"past", "answers", "what is kept of each turn: journal (nothing), words (yours) or answers",
			oneOf("journal", "words", "answers")},
		{"past_days", "0", "days until a turn is removed; 0: never", between(0, 36500)},
		{"sync", "off", "auto: at the start and the end of each session, once sync is set up", oneOf("off", "auto")},
		{"notify", "auto", "auto or never: the line that tells you what memento did", oneOf("auto", "never")},
		{"debug", "false", "keep what memento puts before the model in the log", isBool},
	}
}

// env returns the environment variable of a setting, "" for one of a kind of record.
func (s spec) env() string {
	if strings.Contains(s.name, ".") {
		return ""
	}
	return "MEMENTO_" + strings.ToUpper(s.name)
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
	home := filepath.Join(dir, ".memento")
	file, err := readFile(home)
	all := resolve(specs(), getenv, file)
	get := func(name string) string { return all[name].Value }
	return Config{ClaudeDir: dir, Dir: home, Tag: Tag(get("instance_tag"), getenv),
		Enabled: get("enabled") == "true", MaxEntries: number(get("max_entries")),
		MaxFileBytes: number(get("max_file_kb")) << 10, StaleDays: number(get("stale_days")),
		BudgetTokens: number(get("budget_tokens")), BudgetSet: all["budget_tokens"].Source != "default",
		Remind: Remind(get("remind")), Ask: Ask(get("ask")),
		LaneTTL: time.Duration(number(get("lane_ttl"))) * time.Hour, Debug: get("debug") == "true",
		MaxInject: number(get("max_inject")), GraceDays: number(get("grace_days")),
		PurgeRetired: get("archive_retired") == "false", Past: Past(get("past")), PastDays: number(get("past_days")),
		Sync: Sync(get("sync")), Notify: Notify(get("notify")), kinds: gjson.Get(file, "kinds").Raw}, err
}

// resolve returns the settings by their names.
func resolve(all []spec, getenv func(string) string, file string) map[string]Setting {
	found := make(map[string]Setting, len(all))
	for _, s := range all {
		found[s.name] = s.resolve(getenv, file)
	}
	return found
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
	for _, name := range kinds {
		for _, f := range fields() {
			f.name = "kinds." + name + "." + f.name
			out = append(out, f.resolve(getenv, file))
		}
	}
	return out, nil
}

// resolve finds the value of a setting in the environment or in file, the text of config.json.
func (s spec) resolve(getenv func(string) string, file string) Setting {
	out := Setting{Name: s.name, Env: s.env(), About: s.about, Value: s.value, Source: "default"}
	if v := getenv(out.Env); v != "" && s.take(&out, v, out.Env+"="+v, "environment") {
		return out
	}
	if v := gjson.Get(file, s.name); v.Exists() {
		s.take(&out, v.String(), s.name+" in config.json", "config.json")
	}
	return out
}

// take gives the setting a value from a source. It reports whether the value can be used.
func (s spec) take(out *Setting, given, where, source string) bool {
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
	known, key := specs(), name
	if ofKind {
		known, key = fields(), field
	}
	i := slices.IndexFunc(known, func(s spec) bool { return s.name == key })
	if i < 0 {
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
	given := gjson.GetBytes(data, "kinds."+kind)
	used, err := known[i].check(value)
	switch {
	case value == "":
		data, err = sjson.DeleteBytes(data, name)
	case ofKind && given.Exists() && !given.IsObject():
		return fmt.Errorf("kinds.%s in %s is %w", kind, path, ErrNoObject)
	case err != nil:
		given, _ := text.Cut(value, 40)
		return fmt.Errorf("%s: %s: %w; %w", name, text.Quote(given), err, ErrValue)
	case gjson.Valid(known[i].value): // a number, true or false
		data, err = sjson.SetRawBytes(data, name, []byte(used))
	default: // a string: an instance may be called 007, or no
		data, err = sjson.SetBytes(data, name, used)
	}
	if err != nil {
		return fmt.Errorf("changing %s: %w", path, err)
	}
	return safefile.Replace(path, data, 0o600)
}

// Problem says what is wrong with config.json as a whole: it is unreadable, not a JSON object, or has unknown settings.
// It returns "" for a file that is missing or sound.
func Problem(dir string) string {
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
		if !slices.Contains(Names(), k.Str) && (k.Str != "kinds" || !v.IsObject()) {
			unknown = append(unknown, text.Line(k.Str))
		}
		return true
	})
	if len(unknown) > 0 {
		return path + " has settings nobody reads: " + strings.Join(unknown, ", ")
	}
	return ""
}

func isObject(data []byte) bool { return gjson.ValidBytes(data) && gjson.ParseBytes(data).IsObject() }

// Names lists the settings.
func Names() []string { return namesOf(specs()) }

func namesOf(all []spec) (out []string) {
	for _, s := range all {
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
// of any script stay; other characters become a hyphen. A name that loses characters (`../x`) ends in a short hash of
// the given name, so that two names never share a journal.
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

// Reserved are the names of memento's own files beside the journals. No tag has one: outside any project a journal has
// the tag for its name.
var Reserved = [...]string{"config", "workspace", "paused", "erased", "machine", "removed"}

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
	lossy = lossy || tag != b.String() || slices.Contains(Reserved[:], strings.ToLower(tag))
	if len(tag) > 48 {
		tag, lossy = strings.TrimRight(strings.ToValidUTF8(tag[:48], ""), "-."), true
	}
	if tag == "" || !lossy {
		return tag
	}
	h := fnv.New32a()
	h.Write([]byte(s))
	return fmt.Sprintf("%s-%04x", tag, h.Sum32()&0xffff)
}

func anything(s string) (string, error) { return s, nil }

// isBool returns the value to use, "" for a value that cannot be used. The error says what is expected instead of the
// value given. So does each check of a setting.
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
func between(low, high int) func(string) (string, error) {
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

func oneOf(values ...string) func(string) (string, error) {
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
	if safefile.Check(path) != nil {
		return safefile.InPlace(path)
	}
	return "mend it by hand, or delete it; memento config lists the settings"
}

// SwitchOn is the step that switches memento on again. It depends on which setting switched it off.
func SwitchOn(getenv func(string) string) string {
	if getenv("MEMENTO_ENABLED") != "" {
		return "unset MEMENTO_ENABLED"
	}
	return "memento config enabled true"
}

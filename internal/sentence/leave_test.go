package sentence

import (
	"strings"
	"testing"
)

// phraseSet is sentences, one a line, that a judgement is to say yes or no to. The tuned ones were looked at while it
// was written; the others were written down before it was run on them, and whoever looks at one that is judged wrongly
// moves it to the tuned ones.
type phraseSet struct{ tunedYes, tunedNo, heldYes, heldNo string }

// measure fails for each tuned phrase that is judged wrongly, and counts the others.
func (p phraseSet) measure(t *testing.T, name string, judge func(string) bool, leastYes, leastNo int) {
	t.Helper()
	count := func(all string, want bool, tuned bool) (right, n int) {
		for s := range strings.Lines(strings.TrimSpace(all)) {
			if s = strings.ReplaceAll(strings.TrimSpace(s), `\n`, "\n"); s == "" {
				continue
			}
			n++
			switch {
			case judge(s) == want:
				right++
			case tuned:
				t.Errorf("%s(%q) = %t", name, s, !want)
			default:
				t.Logf("held out: %s(%q) = %t", name, s, !want)
			}
		}
		return right, n
	}
	ty, tyn := count(p.tunedYes, true, true)
	tn, tnn := count(p.tunedNo, false, true)
	hy, hyn := count(p.heldYes, true, false)
	hn, hnn := count(p.heldNo, false, false)
	t.Logf("%s: tuned %d/%d yes, %d/%d no; held out %d/%d yes, %d/%d no", name, ty, tyn, tn, tnn, hy, hyn, hn, hnn)
	if hy < leastYes || hn < leastNo {
		t.Errorf("%s: of the phrases held out %d and %d are judged rightly, at least %d and %d were", name, hy, hn,
			leastYes, leastNo)
	}
}

// TestLeavingPhrases: who leaves a mission says so in words that name nothing else; in doubt it stays open.
func TestLeavingPhrases(t *testing.T) {
	phraseSet{
		tunedYes: `
New task: add a dark mode to the settings page
New mission: port the importer
this mission is finished, close it
let's stop this and do something completely different
ok that's finished, let's move on
That's done. Let's move on.
The project is finished.
I'm done with this project, thanks
let's drop this project
Leaving this project now
done with this project, moving on to another one
I'm done with this one, moving on to another project
let's move on to the next project
I'm switching projects now
We are done with this. Start on the invoices: totals are rounded twice.
That's finished. New task: print the delivery notes
`,
		tunedNo: `
let's move on to the next step
close the modal
this task is finished: update the README
Here is what the board says:\nnew task in the sprint board: fix the login
new task in the sprint board: fix the login page
we're done with the parser, now the printer
the task is done, commit it
move on
next
stop
stop this
let's do something different: use a map
try something else
das ist fertig, mach weiter
it's done, now do the work
that is done, change this
this is a new project
the new project needs a README
create a new project
start a new project in Rust
Add a new task: button to the toolbar
is this mission finished?
when this mission is finished, close it
don't close the mission yet
the mission is not finished
ok, that's finished, let's move on to the tests
Das Projekt ist noch nicht fertig
Feche o modal
cierra la ventana
we are done with this part, now the tests
That is done. Start on the tests for the importer.
We are done with this. Start on the next step: the phone numbers.
We are done with this. Start on it.
are we done with this project
it's done, move on to the other one
move projects up
this task is done, now the other one
let's switch to the other one
`,
		heldYes: `
We're finished with this mission, thank you!
Okay, this project is over. Let's do something else.
The mission has been completed
I want to work on something completely different now
time for something else, this is done
New project: a weather widget
I'm going to move over to a different repo now
Thanks, mission complete. Now I want a changelog.
Ce projet est fini, merci
`,
		heldNo: `
the login page is finished, now do the logout page
move the button to another panel
switch the theme to something darker
let's switch to another approach
change the project name to acme
close the project settings dialog
finish the project
finish this task
complete the mission statement page
this project is a mess
the mission of this project is to teach
leave the project file alone
end the loop after ten tries
drop the project table
stop the other job
cancel the task when the user leaves
let's work on the next task
ok done, what's next?
that's over 80 columns, move it on a new line
done. moving on to the migrations
Wechsle auf einen anderen Port
Das Projekt liegt in einem anderen Ordner
Beende den Server
Mude para outro layout
Cambia el color a otro
Ferme la connexion
`,
	}.measure(t, "Closes", Closes, 7, 26)
}

// TestBeginningPhrases: a mission is a prompt that asks for work; a question, a chore, a choice and a paste take no
// mission's place.
func TestBeginningPhrases(t *testing.T) {
	phraseSet{
		tunedYes: `
Fix the checkout: orders above 1,000 EUR are lost.
can you add a dark mode to the settings?
Could you please refactor the parser?
I'd like the importer to skip empty lines
The checkout loses orders above 1,000 EUR
Why is the build red? Fix it and add a test for the parser.
deploy the billing service to staging
Kannst du den Parser umbauen?
Arregla el filtro de fechas
Peux-tu corriger le parseur ?
would you write the release notes for 2.4?
add a --verbose flag
run go vet -json and fix what it reports
sync the cart with the server when it is back online
merge the two price tables into one
has to be sorted by date: the list of invoices
/plan build the importer for old invoices
`,
		tunedNo: `
what was the plan?
what was the plan
commit please
ok lets go with 2
option 2
run the tests
git status
why does it fail?
push it
commit and push
yes, please run the tests again
explain how the parser works
can you explain how the parser works?
show me the last commit
/effort high
wie war der Plan?
docker compose up -d
npx create-shop@latest --typescript
gh auth login --with-token
export API_URL=http://localhost:3000
Is it deployed already I wonder
does this already work on mobile
sync this branch with main
merge main into this branch
FAIL github.com/acme/shop 4.1s\nFAIL
`,
		heldYes: `
Please make the sidebar collapsible
we need a CSV export on the invoices page
Users cannot log in with a plus sign in their address
port this to Rust
Rename Foo to Bar everywhere
Run the importer on the March files and tell me which rows are dropped
Die Suche findet keine Umlaute
Ajoute un bouton d'export
make --dry-run the default
the -v flag prints nothing, mend it
sync the calendar with the holidays of each country
merge duplicate customers by e-mail
use curl --retry 3 in the download script
docs say --json but the flag is --format
has to work on Safari too: the date picker
`,
		heldNo: `
kubectl apply -f deploy.yaml --namespace staging
pip install -r requirements.txt
brew upgrade --cask
ssh -i key.pem ubuntu@10.0.0.7
is that merged already
are we on the right branch
has it been released yet
rebase onto main please
where were we with this?
who wrote this function?
is it safe to delete the cache?
how do I run this?
rebase on main and push
let's take the second one
1
B
restart the server please
run it again
could you tell me what changed?
open a PR
wo ist die Konfiguration?
pode commitar
`,
	}.measure(t, "Begins", Begins, 15, 21)
}

// Who leaves a mission says so where a message begins: a paste of any length is not looked through for it.
func TestClosesWhereAMessageBegins(t *testing.T) {
	marks := strings.Repeat(". ", maxDeparture)
	if Closes(marks + "Close the mission.") {
		t.Error("words far behind the beginning closed the mission")
	}
	if rest, ok := cutDeparture("Close the mission. " + marks + "Run the tests."); !ok || rest != "Run the tests." {
		t.Errorf("what stands behind the leaving is %.40q, %t", rest, ok)
	}
}

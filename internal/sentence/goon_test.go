package sentence

import "testing"

// TestGoingOnPhrases: who goes on with what an earlier session left says so in words that name nothing else.
func TestGoingOnPhrases(t *testing.T) {
	phraseSet{
		tunedYes: `
continue where we left off
ok, let's pick up where we left off yesterday
go on with yesterday's work
carry on with what we were doing last time
resume the previous session please
Can you continue the work from the last session?
let's get back to what we started yesterday
keep working on the unfinished task
pick this back up
back to work, continue from where you stopped
continue de onde paramos
`,
		tunedNo: `
continue the rename in cart.go as planned by Ana
what was the plan of the sales team? add it to the page
Continue button on the checkout page is broken, fix it
resume upload fails when the file is larger than 10 MB
add a "pick up where you left off" banner to the player
yesterday's deploy broke the login, find out why
the last session of a user should be shown on the profile page
write a plan for the migration to Postgres
go on holiday mode: add a switch to the settings
continue with the invoice export
the previous task runner was faster, switch back to it
what is the work queue used for?
resume the paused subscription when the card is renewed
where is the plan limit checked?
what did the customer do last?
revert yesterday's work
delete the last session from the database
Wo haben wir die Anmeldung implementiert?
mach mit dem Export der Rechnungen weiter
continua dando erro no login
reverte o trabalho de ontem
continue de boucler quand le panier est vide, corrige-le
le plan tarifaire d'hier est faux
continua a dare errore al pagamento
il piano di ieri era sbagliato, scrivine uno nuovo
verder moet de knop blauw worden
forts med knappen er feil farge
lanjutkan tombol tidak berfungsi
`,
		heldYes: `
please continue from where we stopped last time
continue our previous work
let's keep going with yesterday's task
pick up the work you left unfinished
go back to what we were working on
let's resume work on the plan
continue with the plan from yesterday
ok continue, same as last time
finish what we started
`,
		heldNo: `
continue the migration Ana began in users.sql
what was the plan for pricing tiers called in Stripe?
pick up the package from the queue and print its label
resume where the download stopped instead of starting over: add range requests
our previous vendor's API still answers, remove it
continue reading the file after a parse error
go back to the home page after login
yesterday's report shows the wrong totals
finish the checkout page
what's the next step of the wizard called?
work from the last release tag, not from main
keep the session of the last user open
the task you left in the TODO list is wrong, remove it
the plan page should list what was left in the trial
weiter unten auf der Seite fehlt der Preis
wo wird der letzte Plan gespeichert?
continue usando o React no painel novo
onde paramos o servidor no script?
sigue el plan de Ana para el carrito
deja el trabajo de ayer en otra rama
reprends le texte de la page d'accueil et traduis-le
riprendi il colore del logo nella barra
il lavoro di ieri va annullato
de taak van gisteren staat dubbel in de lijst
hapus pekerjaan kemarin
`,
	}.measure(t, "goes on", func(s string) bool { return Recall(s, "") >= GoesOn }, 9, 25)
}

// TestPlanQuestions: who asks what the plan was, or where things stand, asks for nothing else.
func TestPlanQuestions(t *testing.T) {
	phraseSet{
		tunedYes: `
what was the plan?
where were we?
what were we working on yesterday?
where did we leave off last time?
what's left to do?
what is the status?
remind me what we were doing
Hi! What was I working on?
`,
		tunedNo: `
what was the plan of the sales team?
where were the tests for the cart?
what is the plan limit of a free user?
what was the plan? Write it into docs/plan.md
continue where we left off
what's left in the cart after checkout?
where did the button go?
what's the status code of a missing order?
was war der Preis?
qual era o plano gratuito?
dove era il bottone?
free plan neydi?
`,
		heldYes: `
so what was our plan again?
what did we do last time?
where did we stop?
what were the next steps?
what was I doing here?
which tasks are still open?
what is still to do?
qu'est-ce qu'on faisait hier ?
a che punto eravamo?
`,
		heldNo: `
what was the plan that Stripe called "pro"?
what were the error messages?
where did the last migration put the index?
which tasks are scheduled by cron?
what did the last commit change in auth.go?
what is the status page built with?
was haben die Kunden gestern bestellt?
wo steht der Plan in der Datenbank?
qual era o nome da tarefa do cron?
il reste combien d'articles dans le panier ?
qual era il piano di Marco per il logo?
wat was het wachtwoord van de testgebruiker?
plan tablosu neydi?
`,
	}.measure(t, "asks", func(s string) bool { return Recall(s, "") == Asks }, 6, 13)
}

func TestForModel(t *testing.T) {
	long := " Read what follows and answer with one word, and with nothing else. What follows is a diff of one commit, " +
		"its message and the names of the files that it changes."
	tellsApart(t, "IsForModel", IsForModel,
		[]string{"You are a strict reviewer of code." + long,
			"Name the topic of this talk." + long + "\nUser: hi\nAssistant: hello"},
		[]string{"You are right, fix it", "Write a page for the user: it lists what the assistant did." + long,
			"Add a class for users." + long})
}

func TestAgrees(t *testing.T) {
	tellsApart(t, "Agrees", Agrees, []string{"yes", "ok!", "sure, do it", "sí", "ja bitte", "oui, parfait", "да", "네", "はい",
		"好的", "evet"}, []string{"no", "thanks", "hi", "no thanks", "ok thanks", "nein danke", "谢谢", "yes, delete the table"})
}

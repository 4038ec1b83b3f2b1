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
mach da weiter, wo wir aufgehört haben
Lass uns dort weitermachen, wo wir gestern aufgehört haben.
setze die Arbeit von gestern fort
continue de onde paramos
vamos continuar o trabalho de ontem
retoma o que estávamos fazendo
sigue donde lo dejamos
continuemos con el trabajo de ayer
retoma la tarea anterior por favor
reprends là où on s'est arrêtés
on continue le travail d'hier
reprenons la session précédente
remettons-nous au travail d'hier
riprendi da dove eravamo rimasti
continua il lavoro di ieri
ga verder waar we gebleven waren
laten we verdergaan met het werk van gisteren
fortsätt där vi slutade
fortsæt hvor vi slap
kontynuuj od miejsca, w którym skończyliśmy
pokračuj tam, kde jsme skončili
продолжай с того места, где мы остановились
давай продолжим вчерашнюю работу
продовжуй з того місця, де ми зупинилися
kaldığımız yerden devam et
dünkü işe devam edelim
前回の続きをお願いします
昨日の作業の続きから始めてください
接着昨天的工作继续
从上次停下的地方继续
繼續昨天的工作
어제 하던 작업 이어서 해줘
지난번에 멈춘 곳부터 계속하자
أكمل من حيث توقفنا
जहाँ हमने छोड़ा था वहीं से जारी रखो
lanjutkan pekerjaan kemarin
tiếp tục từ chỗ chúng ta dừng lại
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
setze die Arbeit von gestern zurück
der Plan für nächste Woche fehlt auf der Seite, füge ihn hinzu
mach mit dem Export der Rechnungen weiter
onde fica o plano de preços?
continua dando erro no login
reverte o trabalho de ontem
sigue fallando el botón de pago
el trabajo de ayer rompió la compilación
continue de boucler quand le panier est vide, corrige-le
le plan tarifaire d'hier est faux
continua a dare errore al pagamento
il piano di ieri era sbagliato, scrivine uno nuovo
verder moet de knop blauw worden
forts med knappen er feil farge
kontynuacja subskrypcji nie działa
продолжай переименование в cart.go, как просила Аня
удали вчерашнюю работу
dünkü işi geri al
devam butonu çalışmıyor
続きを読むボタンを追加して
昨日の作業を取り消して
继续按钮点不了，修一下
昨天的计划有问题，重新写
계속 버튼이 안 눌려요, 고쳐줘
어제 작업을 되돌려줘
أضف زر المتابعة إلى الصفحة
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
weiter mit der Arbeit von gestern
Mach bitte an der Stelle weiter, an der wir gestern stehen geblieben sind
nimm die letzte Aufgabe wieder auf
vamos retomar de onde a gente parou
continue a tarefa de ontem, por favor
bora continuar o que começamos ontem
continúa desde donde nos quedamos
vamos a seguir con lo que estábamos haciendo ayer
retomemos la sesión anterior
continue là où tu t'es arrêté
reprends le travail de la dernière fois
continuons ce qu'on avait commencé hier
riprendiamo il lavoro da dove ci siamo fermati
andiamo avanti con il lavoro di ieri
ga door met de taak van gisteren
vi fortsätter med gårdagens arbete
vi fortsetter der vi slapp i går
kontynuujmy wczorajszą pracę
pokračujme ve včerejší práci
продолжим с того, на чём остановились вчера
вернёмся к вчерашней задаче
продовжимо вчорашню роботу
dün kaldığımız yerden devam edelim
önceki oturuma devam et
昨日の続きをやりましょう
前回中断したところから再開して
继续上次的任务
我们接着上次的进度继续做
어제 작업을 계속해 주세요
지난 세션에서 하던 일 이어서 진행해줘
لنكمل عمل الأمس
कल का काम जारी रखें
lanjutkan dari sesi sebelumnya
hãy tiếp tục công việc hôm qua
jatketaan siitä mihin jäätiin
folytassuk ott, ahol abbahagytuk
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
Die Arbeit von gestern war falsch, nimm sie zurück
weiter unten auf der Seite fehlt der Preis
wo wird der letzte Plan gespeichert?
letzte Aufgabe aus der Liste löschen
continue usando o React no painel novo
a tarefa anterior da fila não termina, corrige
onde paramos o servidor no script?
sigue el plan de Ana para el carrito
la sesión anterior no se cierra al salir
deja el trabajo de ayer en otra rama
reprends le texte de la page d'accueil et traduis-le
la dernière session reste ouverte, ferme-la
le travail d'hier est cassé
riprendi il colore del logo nella barra
il lavoro di ieri va annullato
de taak van gisteren staat dubbel in de lijst
fortsätt-knappen saknar text
wczorajsza praca zepsuła testy
продолжи нумерацию страниц в отчёте
вчерашний план показывается дважды, исправь
önceki oturumun süresi yanlış hesaplanıyor
devam eden siparişleri listele
前回の注文を一覧に表示して
続けて二回クリックすると落ちる
上次的任务没有保存，找出原因
继续播放按钮放到左边
지난번 주문을 목록에 보여줘
계획 페이지에 어제 날짜를 추가해줘
خطة الأمس خاطئة، احذفها
कल का काम हटा दो
hapus pekerjaan kemarin
`,
	}.measure(t, "goes on", func(s string) bool { return Recall(s, "") >= GoesOn }, 41, 45)
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
was war der Plan?
wo sind wir gestern stehen geblieben?
woran haben wir zuletzt gearbeitet?
qual era o plano?
onde a gente parou ontem?
o que falta fazer?
¿cuál era el plan?
¿en qué estábamos?
c'était quoi le plan ?
où en étions-nous ?
qual era il piano?
dove eravamo rimasti?
wat was het plan?
vad var planen?
jaki był plan?
каков был план?
на чём мы остановились?
plan neydi?
nerede kalmıştık?
どこまでやったっけ？
昨日の計画は何でしたか？
我们上次做到哪了？
之前的计划是什么？
계획이 뭐였지?
어디까지 했지?
ما كانت الخطة؟
apa rencananya kemarin?
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
¿dónde estaba el archivo de configuración?
où est le plan du site ?
dove era il bottone?
какой план у бесплатных пользователей?
free plan neydi?
计划页面在哪里？
계획 페이지가 뭐였지?
注文はどこまで届きましたか？
`,
		heldYes: `
so what was our plan again?
what did we do last time?
where did we stop?
what were the next steps?
what was I doing here?
which tasks are still open?
what is still to do?
was haben wir gestern gemacht?
was steht noch an?
wo waren wir stehengeblieben?
em que ponto estávamos?
qual foi o plano de ontem?
¿dónde nos quedamos?
¿qué nos falta por hacer?
qu'est-ce qu'on faisait hier ?
il reste quoi à faire ?
a che punto eravamo?
waar waren we gebleven?
var var vi?
na czym skończyliśmy?
что мы делали вчера?
какой был план?
dün ne yapıyorduk?
前回どこまで進みましたか？
次は何をする予定でしたか？
上次的计划是什么来着？
我们进行到哪一步了？
어제 뭐 하고 있었지?
다음 할 일이 뭐였지?
أين توقفنا؟
sampai mana kita kemarin?
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
¿qué plan tiene el usuario 42?
il reste combien d'articles dans le panier ?
qual era il piano di Marco per il logo?
wat was het wachtwoord van de testgebruiker?
что делает план в таблице users?
plan tablosu neydi?
次は何ページですか？
上次的订单是什么？
다음 페이지가 뭐였지?
`,
	}.measure(t, "asks", func(s string) bool { return Recall(s, "") == Asks }, 26, 18)
}

func TestForModel(t *testing.T) {
	long := " Read what follows and answer with one word, and with nothing else. What follows is a diff of one commit, " +
		"its message and the names of the files that it changes."
	tellsApart(t, "IsForModel", IsForModel,
		[]string{"You are a strict reviewer of code." + long, "Du bist ein Prüfer von Rechnungen." + long,
			"Você é um revisor de textos." + long, "Name the topic of this talk." + long + "\nUser: hi\nAssistant: hello"},
		[]string{"You are right, fix it", "Write a page for the user: it lists what the assistant did." + long,
			"Add a class for users." + long})
}

func TestAgrees(t *testing.T) {
	tellsApart(t, "Agrees", Agrees, []string{"yes", "ok!", "sure, do it", "sí", "ja bitte", "oui, parfait", "да", "네", "はい",
		"好的", "evet"}, []string{"no", "thanks", "hi", "no thanks", "ok thanks", "nein danke", "谢谢", "yes, delete the table"})
}

package sample

// Secrets that are known by what stands around them, as "group template".
var secrets = [2]string{
	`
env DB_PASSWORD=«pw»
env DB_PASSWORD=«plain»
env export PGPASSWORD=«pw»
env export ADMIN_PASSWORD="«quoted»"
env POSTGRES_USER=‹user›\nPOSTGRES_PASSWORD=«plain»\nPOSTGRES_DB=‹name›
env REDIS_PASS=«pw»
env SMTP_PWD='«quoted»'
env JWT_SECRET=«plain»
env JWT_SECRET=«token»
env SESSION_SECRET="«token»"
env GITHUB_PAT=«token»
env AZURE_DEVOPS_PAT=«l52»
env STRIPE_KEY=«a32»
env API_TOKEN=«token»
env AWS_SECRET_ACCESS_KEY=«b40»
env DB_PASSWORD_PROD=«pw»
env PASSWORD2=«pw»
env SECRET_KEY_BASE=«x128»
env APP_KEY=base64:«k32»
env please put MYSQL_ROOT_PASSWORD=«plain» into the compose file
env ENCRYPTION_PASSPHRASE=«plain»
env SNYK_TOKEN=«uuid»
env set DB_PASSWORD=«pw»
env $env:DB_PASSWORD = "«pw»"
env setx DB_PASSWORD «pw»
env DATADOG_API_KEY=«x32» DD_SITE=datadoghq.eu datadog-ci
env the test fails: env DB_HOST=‹host› DB_PASSWORD=«plain» npm test exits with 1
yaml password: «pw»
yaml database:\n  host: ‹host›\n  user: ‹user›\n  password: «plain»\n  port: 5432
yaml db_password: "«quoted»"
yaml     environment:\n      - MYSQL_PASSWORD=«plain»
yaml   clientSecret: «token»
yaml api_key: «token»
yaml smtp:\n  username: ‹user›@example.com\n  password: '«quoted»'
yaml auth:\n  token: «token»
yaml vault_pass: «pw»
json "password": "«quoted»"
json {"host": "‹host›", "user": "‹user›", "password": "«plain»"}
json {"client_id": "‹uuid›", "client_secret": "«token»"}
json {"apiKey":"«token»","projectId":"‹name›"}
json "adminPassword": "«plain»",
json {"name": "DB_PASSWORD", "value": "«quoted»"}
json "passphrase": "«plain»"
json {\"password\": \"«pw»\"}
toml password = "«quoted»"
toml [database]\nuser = "‹user›"\npassword = "«plain»"
toml secret_key = '«token»'
ini [client]\nuser=‹user›\npassword=«plain»
ini [mail]\nhost = ‹host›\npassword = «plain»
ini password = «mixed»
props spring.datasource.password=«plain»
props jdbc.password=«pw»
props app.jwt.secret=«token»
props ssl.keystore.password=«plain»
props mail.smtp.password = «pw»
xml <password>«plain»</password>
xml <db:Password>«pw»</db:Password>
xml <add key="DbPassword" value="«plain»" />
xml <property name="password" value="«pw»"/>
xml <property name="connection.password">«plain»</property>
xml <server><id>nexus</id><username>‹user›</username><password>«pw»</password></server>
xml <key>password</key>\n<string>«pw»</string>
xml <Resource username="‹user›" password="«plain»" url="jdbc:mysql://‹host›/‹name›"/>
xml <apiKey>«token»</apiKey>
hcl variable "db_password" {\n  type    = string\n  default = "«plain»"\n}
hcl   password = "«pw»"
hcl master_password      = "«plain»"
hcl client_secret = "«token»"
hcl db_password="«pw»" # terraform.tfvars
php define('DB_PASSWORD', '«plain»');
php define( 'AUTH_KEY', '«a64»' );
php $password = '«quoted»';
php 'password' => '«plain»',
php $config['db']['password'] = "«pw»";
php $conn = mysqli_connect("‹host›", "‹user›", "«pw»", "‹name›");
docker ENV DB_PASSWORD «plain»
docker ENV DB_PASSWORD=«pw»
docker ARG NPM_TOKEN=«token»
docker docker run -d -e POSTGRES_PASSWORD=«plain» -p 5432:5432 postgres:16
docker docker run --env MYSQL_ROOT_PASSWORD=«pw» mysql:8
k8s         - name: DB_PASSWORD\n          value: «plain»
k8s         - name: API_TOKEN\n          value: "«token»"
k8s kind: Secret\nstringData:\n  password: «pw»
k8s kubectl create secret generic db --from-literal=password=«plain»
k8s kubectl create secret docker-registry reg --docker-username=‹user› --docker-password=«pw»
k8s helm upgrade shop ./chart --set postgresql.auth.password=«plain»
code const password = "«quoted»";
code password := "«pw»"
code String dbPassword = "«plain»";
code SECRET_KEY = '«a50»'
code SECRET_KEY = "django-insecure-«a50»"
code conn = psycopg2.connect(host="‹host›", user="‹user›", password="«plain»")
code conn.setPassword("«pw»");
code os.environ["DB_PASSWORD"] = "«plain»"
code System.setProperty("javax.net.ssl.keyStorePassword", "«plain»");
code DriverManager.getConnection(url, "‹user›", "«pw»");
code let api_key = "«token»";
code private static final String API_SECRET = "«token»";
code auth: { user: "‹user›", pass: "«pw»" }
code new Client({ token: '«token»' })
code requests.get(url, auth=("‹user›", "«pw»"))
code if password == "«pw»" { return true }
code ActiveRecord::Base.establish_connection(adapter: "mysql2", password: "«plain»")
code std::string password = "«pw»";
code db.auth("‹user›", "«pw»")
sql CREATE USER ‹user› IDENTIFIED BY '«plain»';
sql ALTER USER ‹user› WITH PASSWORD '«plain»';
sql CREATE ROLE ‹user› LOGIN PASSWORD '«pw»'
sql SET PASSWORD FOR '‹user›'@'%' = PASSWORD('«pw»');
sql GRANT ALL ON ‹name›.* TO '‹user›'@'%' IDENTIFIED BY '«pw»';
sql ALTER LOGIN sa WITH PASSWORD = '«signed»';
url postgres://‹user›:«mixed»@‹host›:5432/‹name›
url postgresql+asyncpg://‹user›:«plain»@‹host›/‹name›
url mysql://‹user›:«plain»@db:3306/‹name›
url mongodb+srv://‹user›:«mixed»@cluster0.example.mongodb.net/‹name›?retryWrites=true
url redis://:«mixed»@‹host›:6379/0
url amqp://‹user›:«plain»@rabbit:5672/%2f
url amqps://‹user›:«mixed»@mq.example.com/vhost
url DATABASE_URL="mysql2://‹user›:«mixed»@‹host›/‹name›"
url git remote set-url origin https://‹user›:«token»@github.com/acme/shop.git
url git clone https://oauth2:«w20»@gitlab.example.com/acme/shop.git
url https://«a36»@dev.azure.com/acme/_git/shop
url ftp://‹user›:«mixed»@ftp.example.com/out
url smtp://‹user›:«mixed»@mail.example.com:587
url jdbc:postgresql://‹host›:5432/‹name›?user=‹user›&password=«plain»
url jdbc:sqlserver://‹host›:1433;databaseName=‹name›;user=sa;password=«pw»;
url jdbc:oracle:thin:‹user›/«plain»@‹host›:1521:orcl
url jdbc:mysql://‹host›/‹name›?user=‹user›&password=«mixed»&useSSL=false
url https://api.example.com/v1/orders?api_key=«token»&page=2
url https://example.com/callback?access_token=«token»
url wss://stream.example.com/ws?token=«token»
url https://acct.blob.core.windows.net/c?sv=2022-11-02&ss=b&sig=«a40»%3D
url ldap://cn=admin:«mixed»@‹host›
dsn Server=‹host›;Database=‹name›;User Id=sa;Password=«plain»;Encrypt=true
dsn host=‹host› user=‹user› password=«plain» dbname=‹name› sslmode=disable
dsn Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«k32»
dsn DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=«k64»;EndpointSuffix=core.windows.net
dsn ‹user›:«mixed»@tcp(‹host›:3306)/‹name›?parseTime=true
dsn ‹host›:5432:‹name›:‹user›:«plain»
dsn machine git.example.com login ‹user› password «plain»
dsn //registry.npmjs.org/:_authToken=«uuid»
dsn //npm.example.com/:_password=«k16»
dsn sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="‹user›" password="«plain»";
flag ./deploy.sh --user ‹user› --password «plain» --force
flag ./deploy.sh --password=«pw»
flag mytool login --username ‹user› --password '«quoted»'
flag terraform apply -var="db_password=«plain»"
flag ansible-playbook site.yml -e "ansible_become_pass=«plain»"
flag stripe listen --api-key «token»
flag oc login --token=«token» --server=https://api.example.com:6443
flag wget --user=‹user› --password=«plain» https://files.example.com/a.zip
flag keytool -genkey -keystore k.jks -storepass «plain» -keypass changeit
flag gpg --batch --passphrase «plain» -c dump.sql
flag cargo publish --token «a35»
flag az ad sp create-for-rbac --client-secret «token»
flag consul kv get -token=«uuid» shop/db
command curl -u ‹user›:«plain» https://ci.example.com/job/1
command curl --user ‹user›:«pw» https://ci.example.com/job/1
command curl --user "‹user›:«pw»" -X POST https://example.com/api
command curl -x http://proxy:3128 --proxy-user ‹user›:«mixed» https://example.com
command mysql -u root -p«plain» ‹name›
command mysqldump -h ‹host› -u root -p'«signed»' ‹name› > dump.sql
command mysql -uroot -p«mixed» -e "select 1"
command PGPASSWORD=«plain» psql -h ‹host› -U ‹user› ‹name›
command sshpass -p «plain» ssh ‹user›@‹host›
command sshpass -p'«signed»' scp a b:
command docker login -u ‹user› -p «plain» registry.example.com
command docker login -u ‹user› --password '«signed»' registry.example.com
command az login --service-principal -u ‹uuid› -p «token» --tenant ‹uuid›
command az login -u ‹user›@example.com -p «plain»
command ldapsearch -x -H ldap://‹host› -D "cn=admin,dc=example,dc=com" -w «plain» -b dc=example,dc=com
command openssl pkcs12 -in a.p12 -passin pass:«plain» -nodes
command openssl rsa -aes256 -passout pass:«pw» -in a.key
command htpasswd -b /etc/nginx/.htpasswd ‹user› «plain»
command htpasswd -nb ‹user› «mixed»
command echo '‹user›:«plain»' | chpasswd
command echo "root:«mixed»" | sudo chpasswd
command echo «plain» | sudo -S apt update
command echo "«pw»" | docker login -u ‹user› --password-stdin
command echo «token» | gh auth login --with-token
command net use Z: \\fs\share «plain» /user:‹user›
command net user ‹user› «mixed» /add
command ConvertTo-SecureString "«plain»" -AsPlainText -Force
command redis-cli -h ‹host› -a «plain» ping
command redis-cli -h ‹host› AUTH «mixed»
command sqlcmd -S ‹host› -U sa -P «signed» -Q "select 1"
command sqlplus ‹user›/«plain»@//‹host›:1521/orcl
command smbclient //fs/share -U ‹user›%«plain»
command vault login «w26»
command vault kv put secret/shop password=«plain»
command aws configure set aws_secret_access_key «b40»
command npm config set //registry.npmjs.org/:_authToken «uuid»
command heroku config:set SECRET_KEY=«plain» -a shop
command 7z a -p«plain» backup.7z data/
command zip -r -P «plain» backup.zip data/
command mongosh "mongodb://‹host›" -u ‹user› -p «plain»
command rabbitmqctl add_user ‹user› «plain»
command ngrok config add-authtoken «w49»
command mosquitto_pub -h ‹host› -u ‹user› -P «plain» -t a -m b
command gh secret set DEPLOY_KEY --body "«token»"
command requirepass «plain»
header Authorization: Bearer «token»
header curl -H "Authorization: Bearer «w40»" https://api.example.com/me
header "Authorization": "Bearer «token»"
header Authorization: Basic «basic»
header > authorization: token «x40»
header -H 'X-Api-Key: «token»'
header x-auth-token: «token»
header headers={"PRIVATE-TOKEN": "«w20»"}
header Cookie: sessionid=«l32»; csrftoken=‹a8›
header Set-Cookie: connect.sid=s%3A«a32»; Path=/; HttpOnly
header Proxy-Authorization: Basic «basic»
header api-key: «x32»
header X-Vault-Token: «w26»
cookie curl -b "PHPSESSID=«l26»" https://shop.example.com
webhook https://hooks.slack.com/services/T‹U9›/B‹U9›/«a24»
webhook https://discord.com/api/webhooks/‹d18›/«w68»
webhook https://acme.webhook.office.com/webhookb2/«uuid»@‹uuid›/IncomingWebhook/‹x32›/‹uuid›
webhook https://chat.googleapis.com/v1/spaces/AAAA/messages?key=‹a39›&token=«w43»
webhook https://api.telegram.org/bot‹d9›:AA«w33»/sendMessage
webhook https://open.feishu.cn/open-apis/bot/v2/hook/«uuid»
webhook https://maker.ifttt.com/trigger/done/with/key/«w43»
webhook https://hooks.zapier.com/hooks/catch/‹d7›/«l7»/
key put this on the server:\n«PEM»\nand restart it
key SSH_KEY="«PEM»"
key WireGuard: PrivateKey = «k32»
key private_key=0x«x64»
key export ETH_PRIVATE_KEY=«x64»
sentence my password is «said»
sentence My password is «plain».
sentence the password for the staging db is «said», try again
sentence the root password is ` + "`«pw»`" + `
sentence Password: «said»
sentence password: «plain»
sentence password is "«quoted»"
sentence log in as admin with password «said»
sentence log in as ‹user› with the password '«plain»'
sentence use «said» as the password
sentence the api key is «token»
sentence the API token for ‹name› is «token».
sentence I changed the password to «said»
sentence our wifi password is «said» by the way
sentence passphrase: «plain»
sentence the password is now «said»
sentence please test with user ‹user› and password «said»
sentence pw: «said»
sentence pwd: «pw»
sentence pass: «said»
sentence pw = «plain»
sentence user: ‹user›\npass: «plain»
sentence username ‹user›, password «said»
sentence the passcode is «d6»
sentence PIN: «d4»
sentence ssh into ‹host›, pw «said»
sentence the secret is «token»
sentence here is the token: «token»
pair login: ‹user› / «said»
pair login: ‹user› / «plain»
pair credentials: ‹user›:«said»
pair credentials ‹user›:«plain»
pair creds are ‹user› / «said»
pair log in with ‹user›/«said»
pair admin login: ‹user›@example.com / «said»
pair user/pass: ‹user›/«said»
pair user: ‹user› pass: «plain»
abroad das Passwort lautet «said»
abroad mein Passwort ist «said»
abroad das Kennwort für die Datenbank ist «pw»
abroad le mot de passe est «said»
abroad mot de passe : «pw»
abroad mdp: «said»
abroad la contraseña es «said»
abroad Contraseña: «pw»
abroad la clave del servidor es «said»
abroad a senha do banco é «said»
abroad senha: «pw»
abroad la password è «said»
abroad het wachtwoord is «said»
abroad hasło to «said»
abroad moje hasło: «pw»
abroad heslo je «said»
abroad heslo k databázi je «said»
abroad a jelszó «said»
abroad a jelszavam: «pw»
abroad salasana on «said»
abroad salasanani on «said»
abroad lösenordet är «said»
abroad mitt lösenord är «said»
abroad adgangskoden er «said»
abroad kodeordet er «said»
abroad passordet er «said»
abroad parola este «said»
abroad parola bazei de date este «said»
abroad şifre: «pw»
abroad şifrem «said»
abroad пароль: «pw»
abroad мой пароль «said»
abroad пароль от базы — «said»
abroad пароль до бази: «said»
abroad ο κωδικός είναι «said»
abroad 密码是«said»
abroad 数据库密码：«pw»
abroad 密碼是 «said»
abroad パスワードは «said» です
abroad パスワード：«pw»
abroad 비밀번호는 «said» 입니다
abroad 비밀번호: «pw»
abroad mật khẩu là «said»
abroad kata sandi: «said»
abroad kata sandinya adalah «said»
abroad รหัสผ่านคือ «said»
abroad पासवर्ड «said» है
abroad كلمة المرور هي «said»
abroad הסיסמה היא «said»
done fixed the login: the seed user has password «said» now
done rotated DB_PASSWORD to «mixed»
done pytest failed: sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection to postgres://‹user›:«plain»@‹host›/‹name› failed
done npm ERR! 401 Unauthorized - token=«token»
done FATAL: password authentication failed for user "‹user›" (password=«plain»)
done Traceback: KeyError in {'host': '‹host›', 'password': '«plain»'}
env MYSQL_PASSWORD=«plain»
env SUDO_PASS=«pw»
env LDAP_BIND_PASSWORD='«quoted»'
env export TF_VAR_db_password=«plain»
env ROOT_PWD=«plain»
env COOKIE_SECRET=«plain»
env HF_TOKEN=«token»
env GITLAB_PAT=«token»
env SECRET_TOKEN_STAGING=«token»
env NEXTAUTH_SECRET=«k32»
env MAIL_PASSWORD="«quoted»" # gmail
env start it with ADMIN_PASS=«plain» make seed
env OPENAI_API_KEY=«a48»
env DB_PASSWD=«plain»
env export RESTIC_PASSWORD=«plain»
env CREDENTIALS=‹user›:«pw»
env [Environment]::SetEnvironmentVariable("DB_PASSWORD", "«plain»")
yaml   rootPassword: «plain»
yaml redis:\n  auth:\n    enabled: true\n    password: "«plain»"
yaml secret: «token»
yaml - { name: ‹user›, password: «plain» }
yaml spring:\n  datasource:\n    username: ‹user›\n    password: «pw»
yaml ansible_ssh_pass: "«pw»"
json { "username":"‹user›", "pwd":"«plain»" }
json "connectionPassword" : "«plain»"
json "refresh_token": "«token»"
json {"key":"admin_password","value":"«pw»"}
json "secretKey": "«token»"
toml pass = "«plain»"
toml auth_token = "«token»"
ini [smtp]\nuser = ‹user›\npass = «pw»
ini aws_secret_access_key = «b40»
ini wpa_passphrase=«plain»
props quarkus.datasource.password=«plain»
props org.gradle.signing.password=«pw»
xml <Password>«pw»</Password>
xml <setting name="SmtpPassword" value="«plain»"/>
xml <entry key="db.password">«plain»</entry>
xml <user name="‹user›" password="«pw»" roles="manager-gui"/>
xml <connectionString value="Data Source=‹host›;User ID=sa;Pwd=«plain»;" />
hcl variable "admin_password" { default = "«plain»" }
hcl secret_string = "«plain»"
php putenv('DB_PASSWORD=«plain»');
php $dbPass = "«quoted»";
php new PDO('mysql:host=‹host›', '‹user›', '«pw»');
docker ENV REDIS_PASSWORD="«plain»"
docker docker service create -e ADMIN_PASSWORD=«pw» shop
k8s env:\n- name: SMTP_PASSWORD\n  value: '«plain»'
k8s kubectl create secret generic api --from-literal=api-key=«token»
code var password = '«quoted»'
code DB_PASS = "«plain»"
code val apiToken: String = "«token»"
code mail.login("‹user›@example.com", "«pw»")
code client.auth.sign_in(email="‹user›@example.com", password="«plain»")
code setenv("DB_PASSWORD", "«plain»", 1);
code .withPassword("«plain»")
code config.password = "«pw»"
code static let clientSecret = "«token»"
code { login: "‹user›", password: "«plain»" }
sql CREATE USER '‹user›'@'localhost' IDENTIFIED WITH mysql_native_password BY '«pw»';
sql CREATE LOGIN ‹user› WITH PASSWORD = N'«signed»';
sql ALTER ROLE postgres PASSWORD '«plain»';
url mariadb://‹user›:«plain»@‹host›/‹name›
url clickhouse://default:«mixed»@‹host›:9000
url nats://‹user›:«plain»@‹host›:4222
url rediss://default:«mixed»@‹host›:6380
url mssql+pyodbc://sa:«mixed»@‹host›/‹name›
url https://‹user›:«pw»@artifacts.example.com/simple
url git push https://x-access-token:«a36»@github.com/acme/shop
url mqtt://‹user›:«mixed»@broker.example.com:1883
url socks5://‹user›:«plain»@proxy.example.com:1080
url jdbc:mariadb://‹host›/‹name›?user=‹user›&password=«plain»
url https://maps.example.com/js?key=«a39»
url curl "https://api.example.com/?client_secret=«token»&grant_type=client_credentials"
dsn Data Source=‹host›;Initial Catalog=‹name›;User ID=‹user›;Pwd=«plain»
dsn user=‹user›&password=«mixed»&remember=1
dsn mongodb:27017:‹name›:‹user›:«mixed»
dsn machine api.heroku.com\n  login ‹user›@example.com\n  password «uuid»
flag createuser --name ‹user› --password «plain»
flag mvn deploy -Drepo.password=«plain»
flag java -Djavax.net.ssl.trustStorePassword=«plain» -jar app.jar
flag rclone config create s3 s3 secret_access_key=«b40»
flag snyk auth --token «uuid»
flag twine upload --username __token__ --password «token» dist/*
flag influx -username ‹user› -password «plain»
flag sonar-scanner -Dsonar.token=«token»
command curl -su ‹user›:«mixed» https://nexus.example.com/repo
command http -a ‹user›:«plain» GET https://example.com/api
command mysqladmin -u root -p«mixed» shutdown
command mariadb -uroot -p«plain» ‹name›
command podman login -u ‹user› -p «plain» quay.io
command helm registry login -u ‹user› -p «pw» reg.example.com
command ldapmodify -D cn=admin -w «plain» -f a.ldif
command openssl enc -aes-256-cbc -in a -out b -pass pass:«plain»
command openssl enc -d -aes-256-cbc -k «plain» -in b
command echo '‹user›:«mixed»' | sudo chpasswd -e
command echo '«signed»' | passwd --stdin ‹user›
command unzip -P «plain» a.zip
command cqlsh ‹host› -u cassandra -p «plain»
command mongodump --uri x -u ‹user› -p «mixed» --db ‹name›
command plink -ssh ‹user›@‹host› -pw «plain»
command xfreerdp /u:‹user› /p:«plain» /v:‹host›
command net use \\fs\share /user:‹user› «mixed»
command rabbitmqctl change_password ‹user› «plain»
command oc login -u ‹user› -p «plain» https://api.example.com
command cf login -a api.example.com -u ‹user› -p «pw»
command mc alias set s3 https://s3.example.com ‹U20› «a40»
command ipmitool -H ‹host› -U ADMIN -P «plain» power status
command skopeo copy --src-creds ‹user›:«plain» docker://a docker://b
command nmcli dev wifi connect Home password «plain»
command lftp -u ‹user›,«plain» ftp.example.com
command sudo -S <<< "«pw»" ls
command curl -d 'username=‹user›&password=«plain»' https://example.com/login
command psql "host=‹host› user=‹user› password=«plain»"
command smbclient -U '‹user›%«signed»' //fs/a
command masterauth «plain»
command az acr login -n reg -u ‹user› -p «token»
command ssh-keygen -t ed25519 -N "«plain»" -f key
header Authorization: Token «x40»
header curl -H 'Private-Token: «w20»' https://git.example.com/api/v4
header "x-api-key": "«token»"
header Authorization: ApiKey «token»
header Cookie: session=«w40»
header X-Access-Token: «token»
header axios.defaults.headers.common["Authorization"] = "Bearer «token»"
webhook https://discordapp.com/api/webhooks/‹d18›/«w68»
webhook https://oapi.dingtalk.com/robot/send?access_token=«x64»
webhook https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=«uuid»
webhook https://hooks.slack.com/workflows/T‹U8›/A‹U10›/‹d17›/«a24»
key cat > id_rsa <<EOF\n«PEM»\nEOF
key "private_key": "«PEM»"
key wallet private key: 0x«x64»
sentence The password's «said»
sentence password for ‹user› is «said»
sentence the admin password: «plain»
sentence it asks for a password, type «said»
sentence set the password to «said» please
sentence my pw is «said»
sentence the db password is ‘«plain»’
sentence credentials for the vpn: ‹user› / «said»
sentence sign in as ‹user› with «said»
sentence secret: «token»
sentence the client secret is «token»
sentence Passwort: «pw»
sentence the pwd is «said»
sentence temp password = «pw»
sentence new password: «plain»
sentence "what is the password?" "it is «said»"
sentence password -> «said»
sentence Password is: «said»
pair login ‹user› password «said»
pair username: ‹user› / password: «plain»
pair ‹user› / «said» is the test login
pair account: ‹user›@example.com «said»
pair creds: ‹user›:«said»
pair test account ‹user›, pw «said»
abroad das Passwort für den Server: «said»
abroad Zugangsdaten: ‹user› / «said»
abroad le mot de passe de la base est «said»
abroad mi contraseña es «said»
abroad la contrasenya és «said»
abroad o contrasinal é «said»
abroad minha senha: «said»
abroad a palavra-passe é «said»
abroad la mia password è «said»
abroad mijn wachtwoord is «said»
abroad hasło do bazy: «said»
abroad moje heslo je «said»
abroad heslo: «said»
abroad az adatbázis jelszava «said»
abroad tietokannan salasana on «said»
abroad lösenord: «said»
abroad adgangskode: «said»
abroad passord: «said»
abroad parola mea este «said»
abroad lozinka je «said»
abroad geslo je «said»
abroad паролата е «said»
abroad моят парол: «said»
abroad лозинка је «said»
abroad veritabanı şifresi: «said»
abroad parolam «said»
abroad κωδικός πρόσβασης: «said»
abroad пароль от сервера «said»
abroad 我的密码是 «said»
abroad 口令：«said»
abroad DBのパスワードは「«said»」
abroad 관리자 비밀번호는 «said» 이야
abroad mật khẩu: «said»
abroad kata laluan ialah «said»
abroad slaptažodis yra «said»
abroad parole ir «said»
abroad parool on «said»
abroad گذرواژه: «said»
done updated .env, new password «said» works
done failed: mysql -h ‹host› -u ‹user› -p«mixed» ‹name› (exit 1)
done Error: Access denied, using password «said»
done redis.exceptions.AuthenticationError: invalid password: «said»
`, `
env ORACLE_PASSWORD=«plain»
env KEYCLOAK_ADMIN_PASSWORD=«pw»
env export GRAFANA_PASSWORD='«quoted»'
env PGPASS=«plain» pg_dump shop
env ELASTIC_PASSWORD=«plain» docker compose up -d
env SIGNING_SECRET=«token»
env CLIENT_SECRET=«plain»
env ACME_ACCESS_TOKEN=«token»
env BITBUCKET_APP_PASSWORD=«a20»
env ADO_PAT=«l52»
env FTP_PASSWORD="«quoted»" ./upload.sh
env I set MINIO_ROOT_PASSWORD=«plain» and it still fails
env export API_SECRET="«token»"
env $Env:ADMIN_PASSWORD="«pw»"
env fish: set -x DB_PASSWORD «pw»
env env.DB_PASSWORD = '«plain»'
yaml mysql_root_password: «plain»
yaml auth:\n  username: ‹user›\n  password: «plain» # change later
yaml   password: '«plain»'
yaml jwt:\n  secret: «token»
yaml services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: «plain»
yaml smtp_password: "«quoted»"
json {"database":{"user":"‹user›","password":"«quoted»"}}
json "db_pass": "«plain»"
json "access_token":"«token»","expires_in":3600
json {"Username": "‹user›", "Password": "«plain»"}
json {\n  "auths": {\n    "ghcr.io": {\n      "auth": "«basic»"\n    }\n  }\n}
toml [auth]\npassphrase = "«plain»"
toml token = "«token»"
ini [database]\nhost=‹host›\npasswd=«plain»
ini [default]\nregion = eu-west-1\naws_secret_access_key = «b40»
props hibernate.connection.password=«plain»
props spring.mail.password=«pw»
props spring.security.oauth2.client.registration.acme.client-secret=«token»
xml <passwd>«plain»</passwd>
xml <add name="Db" connectionString="Server=‹host›;Database=‹name›;User Id=sa;Password=«plain»;" />
xml <add key="ApiKey" value="«token»"/>
xml <entry key="password" value="«plain»"/>
xml <bean><property name="password"><value>«plain»</value></property></bean>
hcl admin_password = "«plain»"
hcl variable "redis_password" {\n  description = "cache"\n  type = string\n  sensitive = true\n  default = "«plain»"\n}
php define("SMTP_PASSWORD", "«plain»");
php $db = new mysqli("‹host›", "‹user›", "«pw»", "‹name›");
php 'db_password' => "«plain»",
docker ENV ADMIN_PASSWORD «pw»
docker docker run -e "ADMIN_PASSWORD=«plain»" shop:latest
k8s - name: REDIS_PASSWORD\n  value: «plain»
k8s kubectl create secret generic mail --from-literal=SMTP_PASSWORD=«plain»
code var dbPassword = "«plain»";
code DATABASES = {'default': {'USER': '‹user›', 'PASSWORD': '«plain»'}}
code SECRET_KEY = "«plain»"
code app.secret_key = '«plain»'
code app.config['SECRET_KEY'] = '«token»'
code jwt.sign(payload, '«token»')
code let pass = "«pw»"
code Password = "«plain»",
code createConnection({ host: '‹host›', user: '‹user›', password: '«plain»' })
code @Value("${db.password:«plain»}")
code conn = pymysql.connect(host='‹host›', user='‹user›', passwd='«pw»')
code smtp.login("‹user›@example.com", "«plain»")
code -- password: «pw»
sql CREATE USER ‹user› WITH PASSWORD '«plain»';
sql ALTER USER '‹user›'@'%' IDENTIFIED BY '«pw»';
sql CREATE USER ‹user› IDENTIFIED BY "«plain»";
sql CREATE USER MAPPING FOR ‹user› SERVER s OPTIONS (user 'a', password '«plain»');
url postgres://‹user›:«plain»@‹host›/‹name›?sslmode=require
url mongodb://‹user›:«plain»@‹host›:27017/‹name›?authSource=admin
url cockroachdb://‹user›:«mixed»@‹host›:26257/‹name›
url kafka+ssl://‹user›:«mixed»@‹host›:9093
url influxdb://‹user›:«plain»@‹host›:8086
url imaps://‹user›:«mixed»@mail.example.com
url sqlserver://sa:«signed»@‹host›:1433?database=‹name›
url https://‹user›:«mixed»@nexus.example.com/repository/npm/
url jdbc:db2://‹host›:50000/‹name›:user=‹user›;password=«plain»;
url jdbc:oracle:thin:‹user›/«mixed»@//‹host›:1521/xe
url https://example.com/login?user=‹user›&password=«mixed»
url https://hook.eu1.make.com/x?apikey=«token»
dsn Driver={ODBC Driver 18};Server=‹host›;UID=sa;PWD=«plain»;
dsn Provider=SQLOLEDB;Data Source=‹host›;User ID=sa;Password=«pw»
dsn localhost:5432:*:‹user›:«plain»
dsn machine example.com login ‹user› password «mixed»
dsn default login ‹user› password «plain»
flag ./migrate --db-password «plain»
flag ./cli --token=«token» sync
flag npm publish --otp=123456 --token «token»
flag sentry-cli --auth-token «x64» releases list
flag pulumi config set --secret dbPassword «plain»
flag helm install shop . --set auth.password=«plain»,replicas=2
flag vault operator init -pgp-keys x --client-secret=«token»
command curl -u "‹user›:«plain»" https://ci.example.com
command curl --user ‹user›:«plain» -I https://ci.example.com
command curl -sSu ‹user›:«mixed» https://ci.example.com
command curl -d '{"user":"‹user›","password":"«plain»"}' https://example.com
command wget --http-user=‹user› --http-password=«plain» https://example.com
command mysql -h ‹host› -u ‹user› -p"«plain»" ‹name›
command mysql --user=‹user› --password=«plain» ‹name›
command psql postgresql://‹user›:«plain»@‹host›/‹name›
command sshpass -p "«pw»" ssh -o StrictHostKeyChecking=no ‹user›@‹host›
command docker login ghcr.io -u ‹user› -p «token»
command az login -u ‹user› -p "«plain»"
command ldapwhoami -x -D cn=‹user› -w "«plain»"
command ldapsearch -w «mixed» -D cn=admin
command openssl genrsa -aes256 -passout pass:«plain» -out a.key 2048
command openssl req -new -key a.key -passin "pass:«plain»"
command htpasswd -bc .htpasswd ‹user› «plain»
command htpasswd -B -b -C 12 .htpasswd ‹user› «mixed»
command printf '‹user›:«plain»\n' | sudo chpasswd
command echo ‹user›:«plain» | chpasswd
command chpasswd <<< "‹user›:«mixed»"
command net use X: \\srv\data /user:‹user› «plain»
command net use \\srv\data «plain» /user:‹user› /persistent:yes
command net user ‹user› «plain»
command $p = ConvertTo-SecureString '«plain»' -AsPlainText -Force
command ConvertTo-SecureString -String "«plain»" -AsPlainText -Force
command redis-cli -a «mixed» -h ‹host› info
command sqlplus ‹user›/«mixed»@orcl
command unrar x -p«plain» a.rar
command keytool -importkeystore -srcstorepass «plain» -deststorepass «plain» -srckeystore a
command snowsql -a x -u ‹user› --password «plain»
command mongosh --username ‹user› --password «plain»
command echo "«mixed»" | sudo -S systemctl restart nginx
command echo «token» | docker login ghcr.io -u ‹user› --password-stdin
command gh auth login --with-token <<< "«token»"
command git clone https://‹user›:«token»@github.com/acme/shop
command npm config set _authToken «token»
command aws configure set aws_secret_access_key "«b40»"
command heroku config:set DB_PASSWORD=«plain» API=1
command flyctl secrets set DB_PASSWORD=«plain»
command wrangler secret put API_KEY <<< «token»
command cmdkey /add:srv /user:‹user› /pass:«plain»
command passwd: New password: «mixed»
header Authorization: Bearer «JWT»
header -H "Authorization: token «a40»"
header --header='X-API-KEY: «token»'
header Authorization=Basic «basic»
header "Cookie: sid=«a32»"
header X-Gitlab-Token: «w20»
webhook https://hooks.slack.com/services/T‹U10›/B‹U10›/«a24» is the alert hook
webhook https://outlook.webhook.office.com/webhookb2/«uuid»@‹uuid›/IncomingWebhook/‹x32›/‹uuid›
webhook https://canary.discord.com/api/webhooks/‹d18›/«w68»
key «PEM»
key export KEY='«PEM»'
key  identity: "«PEM»"
sentence my password's «said»
sentence the password you need is «said»
sentence root pw is «said»
sentence the password: «plain»
sentence Password = «pw»
sentence (password: «said»)
sentence - password: «said»
sentence **Password:** «said»
sentence Password: ` + "`«pw»`" + `
sentence the password of the admin user is "«quoted»"
sentence password «said» for user ‹user›
sentence pw: «plain»
sentence pass: «pw»
sentence pwd is «said»
sentence set the root password to "«plain»"
sentence api key: «token»
sentence my API key is «token», use it
sentence the access token for the API: «token»
sentence The secret key is «token».
sentence user=‹user› password=«plain»
sentence the password is: «plain»
sentence | password | «said» |
sentence wifi password: «plain»
sentence my PIN is «d6»
pair login: ‹user› / «mixed»
pair Login: ‹user›/«said»
pair login is ‹user› / «said»
pair credentials: ‹user› / «plain»
pair credentials ‹user› / «said»
pair Credentials: ‹user›@example.com / «said»
pair use the credentials ‹user›:«said» for staging
pair creds: ‹user› / «plain»
pair user ‹user› pass «said»
pair username=‹user› password=«plain»
pair login with ‹user› / «said»
abroad Mein Passwort lautet «said»
abroad Passwort: «plain»
abroad das Admin-Passwort ist «said»
abroad mon mot de passe est «said»
abroad le mdp est «said»
abroad mi clave es «said»
abroad contraseña: «said»
abroad a minha senha é «said»
abroad senha do admin: «said»
abroad la mia parola d'ordine è «said»
abroad wachtwoord: «pw»
abroad mijn wachtwoord is: «said»
abroad hasło administratora to «said»
abroad heslo na server je «said»
abroad a szerver jelszava: «said»
abroad jelszó: «pw»
abroad salasana: «pw»
abroad salasanamme on «said»
abroad Lösenordet är: «said»
abroad lösenordet till databasen är «said»
abroad min adgangskode er «said»
abroad passordet mitt er «said»
abroad parola: «pw»
abroad parola este: «said»
abroad moja lozinka je «said»
abroad Пароль: «said»
abroad пароль администратора: «said»
abroad мій пароль: «said»
abroad ο κωδικός μου είναι «said»
abroad şifre «said»
abroad parola: «said»
abroad 密码为 «said»
abroad root密码：«said»
abroad 管理员密码是：«said»
abroad パスワード: «said»
abroad 管理者のパスワードは«said»です
abroad 암호는 «said»
abroad mật khẩu của tôi là «said»
abroad kata sandi saya «said»
abroad รหัสผ่าน: «said»
abroad मेरा पासवर्ड «said» है
abroad كلمة السر: «said»
abroad סיסמה: «said»
done changed the admin password to «said» and redeployed
done docker login -u ‹user› -p «plain» fails with 401
done Error: connect failed for mysql://‹user›:«plain»@‹host›:3306
done ERROR 1045 (28000): Access denied (password: «said»)
done set JWT_SECRET=«plain» in .env
`}

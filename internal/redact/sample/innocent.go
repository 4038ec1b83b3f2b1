package sample

// Text that holds no secret, as "group template".
var innocent = [2]string{
	`
hash fix ‹x40›, then push
hash [main ‹cut›] Make the tax round up
hash image@sha256:‹x64›
hash docker pull registry.example.com/shop@sha256:‹x64›
hash "integrity": "sha512-‹k64›"
hash resolved "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz#‹x40›"
hash github.com/rogpeppe/go-internal v1.14.1 h1:‹k32›
hash golang.org/x/sys v0.29.0/go.mod h1:‹k32›
hash SHA256:‹b43› ‹user›@laptop (ED25519)
hash ‹x64›  dist/memento_linux_amd64.tar.gz
hash md5: ‹x32›
hash etag: "‹x32›"
hash W/"‹x8›-‹a27›"
hash <script src="a.js" integrity="sha384-‹k48›" crossorigin="anonymous">
hash git diff ‹cut›..‹cut› -- src/
hash index ‹x7›..‹x7› 100644
hash commit ‹x40› (HEAD -> main)
hash cache key ‹x64›, primary key: user_id
hash checksum = "‹x64›"
hash "narHash": "sha256-‹k32›"
hash Pods/Manifest.lock: SPEC CHECKSUM ‹x40›
hash nix/store/‹l32›-hello-2.12.1
hash --hash=sha256:‹x64›
hash poetry.lock: {file = "a-1.0-py3-none-any.whl", hash = "sha256:‹x64›"}
id session ‹uuid› of toolu_01‹a22›
id "id": "‹uuid›"
id message msg_01‹a22›
id req_‹a24› failed with 500
id request id: ‹uuid›
id AC‹x32›
id trace ‹x32› span ‹x16›
id arn:aws:iam::‹d12›:role/deploy
id arn:aws:kms:eu-west-1:‹d12›:key/‹uuid›
id arn:aws:secretsmanager:eu-west-1:‹d12›:secret:prod/db-‹a6›
id i-0‹x16› in subnet-0‹x16›, sg-0‹x16›
id Qm‹a44›
id ipfs://bafybei‹l52›
id https://ipfs.io/ipfs/Qm‹a44›
id 0x‹x40› sent 3 ETH
id tx 0x‹x64›
id bc1q‹l38›
id pk_test_‹a24›
id pk_live_‹a99›
id pk_test_51‹a99›
id price_1‹a23› and prod_‹a14› and cus_‹a14›
id pi_3‹a23›_
id phc_‹a43›
id pk.eyJ1‹w40›.‹w22›
id G-‹U10› and UA-‹d8›-1
id 01‹U24›
id _id: ObjectId("‹x24›")
id projects/shop/locations/eu/keyRings/a/cryptoKeys/b
id sub-c-‹uuid›
id client_id: ‹uuid›
id clientId=‹d12›-‹l32›.apps.googleusercontent.com
id "tenantId": "‹uuid›"
id order ORD-2024-‹d6› of customer ‹d8›
id key_id: ‹x16›
id kid: "‹w43›"
id n: "‹w342›", e: "AQAB", kty: "RSA"
public ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹b43› ‹user›@laptop
public ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ‹b340›= ‹user›@laptop
public ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ‹b340›== ‹user›
public ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB‹b86›= root@‹host›
public ‹host› ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹b43›
public ‹PUB›
public age1‹l58›
public PublicKey = ‹k32›
public untrusted comment: minisign public key\nRW‹b54›
public VAPID_PUBLIC_KEY=B‹w86›
public NEXT_PUBLIC_STRIPE_KEY=pk_live_‹a24›
data data:image/png;base64,iVBORw0KGgo‹b400›=
data background: url(data:image/svg+xml;base64,PHN2Zy‹b200›)
data <img src="data:image/jpeg;base64,/9j/4AAQSkZJRg‹b300›">
data url("data:font/woff2;base64,d09GMgABAAAA‹b300›")
data //# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz‹b200›
data abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789
data const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
data ABCDEFGHIJKLMNOPQRSTUVWXYZ234567
data 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz
data 123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz
path src/components/checkout/PaymentMethodSelector2.test.tsx
path /usr/lib/node_modules/‹name›/dist/chunk-‹U8›.js
path dist/assets/index-‹w8›.js 142 kB
path ~/.cache/go-build/‹x2›/‹x64›-d
path C:\Users\‹user›\AppData\Local\Temp\tmp‹a8›
path https://docs.google.com/document/d/‹w44›/edit
path https://github.com/acme/shop/pull/‹d3›/files#diff-‹x64›
path https://www.youtube.com/watch?v=‹w11›
path https://example.com/reset-password?step=2
path https://s3.amazonaws.com/bucket/‹uuid›/file.pdf
path https://figma.com/file/‹a22›/Shop?node-id=12%3A34
path see docs/password-reset.md and internal/auth/token.go:88
path app/Http/Controllers/Auth/ForgotPasswordController.php
path https://notion.so/acme/Roadmap-‹x32›
path postgres://localhost:5432/‹name›
path https://example.com:8080/a@b
path .next/static/chunks/pages/_app-‹x16›.js
path jdbc:postgresql://‹host›:5432/‹name›
code interface Login { password: string; token?: AuthToken }
code type User struct {\n\tPassword string ` + "`json:\"password\"`" + `\n\tToken *string\n}
code password: z.string().min(8)
code const password = process.env.DB_PASSWORD
code const token = await fetchToken(user.id)
code password := os.Getenv("DB_PASSWORD")
code password = os.environ["DB_PASSWORD"]
code password = os.environ.get("DB_PASSWORD", "")
code password = getpass.getpass()
code password = getpass("Password: ")
code password = input("Enter password: ")
code String password = request.getParameter("password");
code this.password = password;
code self.password = password
code user.password = hash_password(form.password)
code if (!password) return false
code if password == "" {
code if (password !== confirmPassword) throw new Error("Passwords do not match")
code def login(username: str, password: str) -> Token:
code func Login(user, password string) (token string, err error)
code password VARCHAR(255) NOT NULL,
code t.string :password_digest, null: false
code password = models.CharField(max_length=128)
code <input type="password" name="password" placeholder="Password">
code <label for="password">Password</label>
code <Input.Password value={password} onChange={e => setPassword(e.target.value)} />
code const [password, setPassword] = useState("")
code login({ email, password })
code login(email=email, password=password)
code assert response.json()["token"]
code expect(screen.getByLabelText("Password")).toBeInTheDocument()
code { name: "password", type: "password", required: true }
code "password": "Enter your password"
code "forgotPassword": "Forgot your password?"
code errors.add(:password, "is too short")
code .password-field { color: red; }
code password_hash = bcrypt.hashpw(password.encode(), salt)
code token = jwt.encode(payload, SECRET_KEY, algorithm="HS256")
code SECRET_KEY = config("SECRET_KEY")
code api_key=os.getenv("OPENAI_API_KEY")
code apiKey: process.env.STRIPE_API_KEY!,
code headers: { Authorization: ` + "`Bearer ${token}`" + ` }
code req.Header.Set("Authorization", "Bearer "+token)
code max_tokens: 4096, temperature: 0.2
code token_count=12345, tokens = 128000
code "usage": {"input_tokens": 1234, "output_tokens": 456}
code const TOKEN_KEY = "auth_token";
code localStorage.getItem("token")
code next_page_token = response.get("nextPageToken")
code csrf_token = request.META.get("CSRF_COOKIE")
code "tokenizer": "gpt2", "pad_token": "<pad>", "eos_token": "</s>"
code secrets.token_hex(32)
code Secret: v1.SecretKeySelector{Name: "db", Key: "password"}
code secretKeyRef:\n  name: db-credentials\n  key: password
code password: ${{ secrets.DB_PASSWORD }}
code password: {{ .Values.db.password }}
code password: !vault |
code password = var.db_password
code password = data.aws_secretsmanager_secret_version.db.secret_string
code sensitive = true
code passwordEncoder.encode(rawPassword)
code val password: CharArray
code let password: &str = args.password.as_ref();
code private String password;
code public string Password { get; set; }
code $password = $_POST['password'];
code 'password' => Hash::make($request->password),
code 'password' => 'required|min:8|confirmed',
code validates :password, presence: true, length: { minimum: 8 }
code key: "ArrowDown"
code primaryKey: true, foreignKey: "userId"
code Object.keys(tokens).length
code for token in tokens:
code onKeyDown={handleKeyDown}
code pass: passDeadCodeElimination
code return pass, fail
code --- PASS: TestLogin_RejectsExpiredToken (0.01s)
code assertThat(passwords).hasSize(3)
code new PasswordValidator(minLength: 8)
code signature: (a: number) => string
code const { data: session } = useSession()
code @Column({ name: 'password', select: false })
code cookies().get("session")
placeholder DB_PASSWORD=$DB_PASSWORD
placeholder DB_PASSWORD=${DB_PASSWORD:-}
placeholder API_KEY=your-api-key-here
placeholder API_KEY=<your-api-key>
placeholder PASSWORD=********
placeholder TOKEN=xxxxxxxxxxxxxxxx
placeholder SECRET=changeme
placeholder password: <password>
placeholder postgres://user:password@localhost:5432/‹name›
placeholder mysql://user:pass@host/db
placeholder postgres://$USER:$PASSWORD@localhost/‹name›
placeholder mongodb://<user>:<password>@cluster0.example.net
placeholder Authorization: Bearer $TOKEN
placeholder curl -H "Authorization: Bearer <token>" https://api.example.com
placeholder curl -u user:password https://example.com
placeholder curl -u $USER:$PASS https://example.com
placeholder mysql -u root -p ‹name›
placeholder psql -U postgres -W
placeholder docker login -u ‹user› --password-stdin
placeholder Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}
placeholder export GITHUB_TOKEN=$(gh auth token)
placeholder --password "$DB_PASSWORD"
placeholder password=%s
placeholder password=[redacted:password]
placeholder OPENAI_API_KEY=sk-...
placeholder sk-xxxxxxxxxxxxxxxxxxxxxxxx
placeholder ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
placeholder PASSWORD=
placeholder password: ""
placeholder password: null
placeholder password = None
placeholder "token": null
placeholder SECRET_KEY=%env(APP_SECRET)%
placeholder password_file: /run/secrets/db_password
placeholder DB_PASSWORD_FILE=/run/secrets/db
placeholder token_url: https://auth.example.com/oauth/token
command docker run -p 8080:80 nginx
command mkdir -p src/auth/‹name›
command ssh -p 2222 ‹user›@‹host›
command grep -w password src/
command ps -p 1234
command nc -w 3 ‹host› 5432
command tar -xzf a.tgz -C /opt
command curl -w "%{http_code}" https://example.com
command git log -p -- src/auth
command npx -p typescript tsc --noEmit
command pytest -k "password and not token"
command cp -a a b && rsync -a x y
command docker compose -p ‹name› up -d
command sudo -u postgres psql
command git push -u origin main
command cd src && pwd && ls
command PWD=/home/‹user›/shop
command openssl x509 -in cert.pem -noout -text
command openssl rand -base64 32
command ssh-keygen -t ed25519 -C "‹user›@example.com"
command kubectl get secret db -o yaml
command aws secretsmanager get-secret-value --secret-id prod/db
command gh auth token
command gh auth status
command npm run test -- -t "resets the password"
command vault kv get secret/shop
command passwd ‹user›
command python -m http.server -b 0.0.0.0
command mysql -h ‹host› -P 3306
command redis-cli -h ‹host› -p 6379
command chmod 600 ~/.pgpass
command git commit -m "Reset password: send the mail once"
command make -j4 -w
command scp -P 2222 a ‹host›:
sentence the password must be at least 12 characters
sentence reset the password field
sentence the password is required, and the token is valid for 30 minutes
sentence the password is wrong
sentence the password is not stored anywhere
sentence password is case-sensitive
sentence my password is not accepted, why?
sentence the password is hashed with bcrypt
sentence the token is expired; renew it before it expires
sentence Password: required, at least 8 characters
sentence add a "forgot password" link to the login form
sentence the secret is to start small
sentence the key is to test first
sentence the API key is read from the environment
sentence the api key is missing
sentence where is the password stored?
sentence change the password policy to 90 days
sentence login: GET /api/login returns 401
sentence login: the button does nothing
sentence the login / logout flow
sentence credentials: none needed
sentence user: ‹user›, role: admin
sentence pass: 12, fail: 0
sentence the pass/fail ratio is 12/15
sentence pw stands for password
sentence I forgot my password again
sentence the password was changed yesterday
sentence the passphrase is limited to 1024 bytes
sentence use the token from the environment, never a literal one
sentence password reset emails are sent twice
sentence the secret to good tests is small steps
sentence a token bucket with 100 tokens per minute
sentence my passport is 4 years old
sentence Secret: a story about the token of love
sentence the primary key is user_id and the foreign key is order_id
sentence the author: ‹user›, the monkey: none, the compass: broken
sentence 42 passing (3s), 0 failing
sentence with password protection enabled
sentence password and username are both required
sentence the password field is empty, show an error
sentence the cookie is httpOnly and lasts 30 days
sentence basic auth is fine for staging
sentence Bearer tokens expire after 15 minutes
sentence use bcrypt for the password, sha256 for the token
sentence the pin is at the top of the list
sentence make the password visible when the eye is clicked
sentence login as admin and check the orders page
sentence Log in with Google / GitHub
sentence the pwd command prints the folder
sentence mein Passwort funktioniert nicht
sentence das Passwort muss mindestens 12 Zeichen haben
sentence das Passwort ist falsch
sentence le mot de passe est obligatoire
sentence le mot de passe doit contenir 8 caractères
sentence la contraseña es obligatoria
sentence la contraseña debe tener al menos 8 caracteres
sentence a senha é obrigatória
sentence la clave es probar primero
sentence la password è troppo corta
sentence het wachtwoord is verplicht
sentence hasło jest wymagane
sentence heslo je příliš krátké
sentence salasana on liian lyhyt
sentence lösenordet är för kort
sentence adgangskoden er forkert
sentence passordet er feil
sentence parola este obligatorie
sentence a jelszó túl rövid
sentence пароль обязателен
sentence пароль должен быть не короче 8 символов
sentence 密码不能为空
sentence 密码长度至少8位
sentence 密码是必填项
sentence パスワードは8文字以上です
sentence パスワードは必須です
sentence 비밀번호는 필수입니다
sentence mật khẩu là bắt buộc
sentence şifre zorunludur
sentence كلمة المرور مطلوبة
prose upgrade to v2.14.3-beta.1 and node 22.11.0
prose className="flex items-center justify-between px-4 py-2 text-gray-700"
prose .css-‹l7› .MuiButton-root-‹d3›
prose testUserCanLoginWith2FAAndReset3Times
prose the error is ERR_PNPM_OUTDATED_LOCKFILE on line 42
prose 2026-01-05T10:00:00.000Z took 1234ms
prose call me at +49 170 1234567
prose 192.168.10.254:8443 and fe80::1ff:fe23:4567:890a
prose TypeError: Cannot read properties of undefined (reading 'accessToken')
prose I18n.t("users.password.reset.title")
prose E2E_TEST_USER_WITH_VERY_LONG_NAME_IN_2024
hash ‹x40› refs/tags/v1.2.0
hash "sha256": "‹x64›"
hash Digest: sha256:‹x64›
hash ‹x32›  backup.sql.gz
hash "gitHead": "‹x40›"
hash rev = "‹x40›"
hash cargo: checksum = "‹x64›"
hash Merge branch 'main' at ‹cut› into feature/token-refresh
hash pnpm: resolution: {integrity: sha512-‹k64›}
hash expected sha1 ‹x40›, got ‹x40›
hash blob ‹x40›  README.md
hash content-md5: ‹k16›
hash layer sha256:‹x12›: Pull complete
id user ‹uuid› has no orders
id "request_id": "req_01‹a22›"
id invoice in_1‹a23› was paid
id evt_1‹a23›
id job ‹d11› of pipeline ‹d9›
id x-amzn-requestid: ‹uuid›
id traceparent: 00-‹x32›-‹x16›-01
id arn:aws:lambda:eu-west-1:‹d12›:function:‹name›
id pk_live_51‹a99›
id sb_publishable_‹w22›_‹w8›
id AccountSid: AC‹x32›
id contract 0x‹x40›
id bafkrei‹l52›
id channel C0‹U9› in team T0‹U9›
id "appId": "1:‹d12›:web:‹x22›"
id ca-app-pub-‹d16›~‹d10›
id google-site-verification=‹w43›
id chatcmpl-‹a29›
id /subscriptions/‹uuid›/resourceGroups/shop
id snap-0‹x16› and vol-0‹x16›
id thread_‹a24›
public ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAACAQ‹b680›== ‹user›@‹host›
public sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAI‹b60›
public peer public key: ‹k32›
public authorized_keys: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹b43› ci
public github.com ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB‹b86›=
public -----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQINBF‹b60›\n‹b64›\n-----END PGP PUBLIC KEY BLOCK-----
data data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
data src="data:image/webp;base64,UklGR‹b300›"
data charset = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
data abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ
data iVBORw0KGgoAAAANSUhEUgAA‹b300›
path https://open.spotify.com/track/‹a22›
path https://drive.google.com/file/d/1‹w32›/view
path https://app.asana.com/0/‹d16›/‹d16›
path node_modules/.pnpm/react-dom@18.2.0_react@18.2.0/node_modules/react-dom
path test/fixtures/TokenRefresh2FactorLogin3.spec.ts
path https://linear.app/acme/issue/SHOP-‹d3›/reset-password-mail-is-sent-twice
path s3://bucket/‹x2›/‹x2›/‹x64›
path https://user@github.com/acme/shop.git
path git@github.com:acme/shop.git
path /var/lib/docker/overlay2/‹x64›/merged
code export interface Credentials { username: string; password: string }
code password?: string | null
code password: Optional[str] = None
code data class Login(val user: String, val password: String)
code var token string
code token := r.Header.Get("Authorization")
code password = request.form["password"]
code password = Rails.application.credentials.db[:password]
code password: config.get('DB_PASSWORD'),
code const secret = await getSecret("prod/db")
code token = generate_token(user)
code const apiKey = config.apiKey;
code const password = faker.internet.password();
code $this->password = $password;
code password = password.trim()
code raise ValueError("password must not be empty")
code errors.password = "Password is required"
code "password.reset.subject": "Reset your password"
code label="Password" type="password" autoComplete="current-password"
code <PasswordInput name="password" />
code data-testid="password-input"
code page.fill('#password', password)
code await page.locator('input[name="password"]').fill(user.password)
code SELECT password FROM users WHERE id = $1
code UPDATE users SET password = $1 WHERE id = $2
code ALTER TABLE users ADD COLUMN password text;
code token: { type: String, required: true }
code key: crypto.randomBytes(32),
code const privateKey = fs.readFileSync("key.pem")
code hash: { password: bcrypt.hashSync(pw, 10) }
code secret: process.env.SESSION_SECRET || ""
code password: values.password,
code new_password = serializers.CharField(write_only=True)
code @Size(min = 8) private String password;
code pass
code except KeyError: pass
code tokens.push(token)
code lexer.token(SECRET)
code let token: Option<String> = None;
code password: Secret<String>,
code api_key: str = Field(..., env="API_KEY")
code "scripts": {"test": "vitest", "login": "node login.js"}
code case Token.EOF: return pass(token)
placeholder DATABASE_URL=postgresql://user:password@localhost:5432/mydb
placeholder redis://:password@localhost:6379
placeholder DB_PASSWORD="${DB_PASSWORD}"
placeholder API_TOKEN=<token>
placeholder password: "********"
placeholder TOKEN=$(cat token.txt)
placeholder Authorization: Bearer YOUR_TOKEN
placeholder Authorization: Basic <base64>
placeholder STRIPE_SECRET_KEY=sk_test_...
placeholder password: ENC[AES256_GCM,data:...]
placeholder SECRET_KEY=replace-me
placeholder password: op://vault/db/password
placeholder --password-file /etc/pw
placeholder curl -u "$USER:$PASSWORD" https://example.com
placeholder {"password": "{{password}}"}
placeholder DB_PASSWORD: ${DB_PASSWORD:?required}
placeholder password=***
placeholder //registry.npmjs.org/:_authToken=${NPM_TOKEN}
placeholder sshpass -e ssh ‹user›@‹host›
placeholder SECRET_NAME=prod/db
command docker run -it --rm -p 127.0.0.1:5432:5432 -w /app -u 1000:1000 postgres
command kubectl -n prod port-forward svc/db 5432
command lsof -i :8080 -a -p 1234
command curl -u : --negotiate https://example.com
command unzip -p a.zip | head
command 7z x a.7z -oout
command find . -name "*password*" -print
command systemctl restart sshd -p 22
command gcloud auth print-access-token
command az account get-access-token
command git config --global credential.helper store
command ansible-vault edit group_vars/all/vault.yml
command cat ~/.ssh/id_ed25519.pub
command echo "password" | grep pass
command htpasswd -c /etc/nginx/.htpasswd ‹user›
command mongo --port 27017 ‹name›
command mysql --protocol=tcp -P 3307
command jest -t "login: wrong password" -w 2
sentence the password should be masked
sentence validate the password before the form is sent
sentence my password is too short for the new policy
sentence The password is incorrect.
sentence the password is being checked twice
sentence Password: must contain a digit
sentence is the token still valid?
sentence the refresh token is rotated on every use
sentence the access token is in the Authorization header
sentence token: the lexer's smallest unit
sentence the secret is stored in the vault
sentence the api key is invalid or expired
sentence password: see 1Password
sentence the password is the same as on staging
sentence Credentials are loaded from ~/.aws/credentials
sentence creds: ask ‹user›
sentence login: works / logout: broken
sentence pass: the parser's second run
sentence this pass is optional
sentence I want to pass 2 arguments
sentence the login page shows user / password fields
sentence the password gets cleared when the page reloads
sentence password strength: weak, medium, strong
sentence passwords are compared in constant time
sentence the keyboard shortcut is Ctrl+Shift+P
sentence the cache key is user:42
sentence key: value pairs
sentence password rotation happens every 90 days
sentence PIN code entry needs 4 digits
sentence write a test: the password is rejected after 3 attempts
sentence das Passwort wird nicht gespeichert
sentence Passwort vergessen?
sentence mot de passe oublié ?
sentence le mot de passe est incorrect
sentence olvidé mi contraseña
sentence la contraseña no es válida
sentence esqueci a minha senha
sentence a senha deve ter pelo menos 8 caracteres
sentence la password è obbligatoria
sentence wachtwoord vergeten?
sentence het wachtwoord moet minstens 8 tekens hebben
sentence hasło musi mieć co najmniej 8 znaków
sentence heslo je povinné
sentence salasana on pakollinen
sentence lösenordet måste vara minst 8 tecken
sentence adgangskoden skal være mindst 8 tegn
sentence passordet er for kort
sentence parola trebuie să aibă minim 8 caractere
sentence пароль неверный
sentence забыл пароль
sentence 请输入密码
sentence 密码错误
sentence パスワードを忘れた
sentence パスワードが違います
sentence 비밀번호가 틀렸습니다
sentence quên mật khẩu
sentence şifremi unuttum
prose the release v1.2.3-rc.1+build.456 is out
prose text-sm md:grid-cols-2 hover:bg-blue-500/50
prose ShopOrderRepositoryImplTest2.testFindById_returnsEmpty
prose GET /api/v1/users/‹uuid›/orders 200 12ms
prose 0x7ffee4b2c8a0 in main at main.c:42
prose a1b2c3, d4e5f6 and MAX_RETRIES_3
prose aria-describedby="radix-:r1:-form-item-description"
`, `
hash Fixes ‹x40› (see #‹d3›)
hash "version": "1.2.3", "shasum": "‹x40›"
hash FROM node:22-alpine@sha256:‹x64›
hash github.com/spf13/cobra v1.8.1/go.mod h1:‹k32›
hash integrity sha512-‹k64›
hash sha256 ‹x64›
hash git show ‹cut›:src/auth.go
hash ETag: W/"‹x4›-‹b27›"
hash crc32 ‹x8›
hash subresource: sha384-‹k48›
hash git cherry-pick ‹x40›
id GET /users/‹uuid›
id correlationId=‹uuid›
id pod shop-‹x9›-‹l5› restarted
id ObjectId('‹x24›')
id pk_live_‹a24›
id const stripe = Stripe('pk_test_51‹a99›')
id TWILIO_ACCOUNT_SID=AC‹x32›
id CID: bafybei‹l52›
id Qm‹a44› is pinned
id AWS account ‹d12›
id us-east-1_‹a9›
id arn:aws:s3:::bucket/‹uuid›
id arn:aws:iam::‹d12›:user/token-rotator
id Sentry DSN https://‹x32›@o‹d6›.ingest.sentry.io/‹d7›
id analytics id G-‹U10›
id toolu_01‹a22›
id client_id=‹uuid›
id spotify:track:‹a22›
id SKU-‹d6›-‹U4›
id data-v-‹x8›
id build ‹d8›.‹d2› of ‹name›
id nonce 0x‹x16›
public ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ‹b340›== ‹user›@ci
public deploy key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI‹b43›
public ‹PUB›
next
public ssh-dss AAAAB3NzaC1kc3MAAACB‹b300›= old@‹host›
public [‹host›]:2222 ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABB‹b86›=
public public_key: "‹k32›"
data ![logo](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA‹b300›)
data data:application/pdf;base64,JVBERi0xLjQK‹b300›
data data:audio/mp3;base64,SUQz‹b300›
data ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_
data alphabet: abcdefghijkmnpqrstuvwxyz23456789
data ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
data lorem ipsum dolor sit amet consectetur adipiscing elit 2024
path https://docs.google.com/spreadsheets/d/1‹w43›/edit#gid=0
path https://www.figma.com/design/‹a22›/Shop
path https://github.com/acme/shop/blob/‹x40›/src/auth/token.ts#L10-L20
path https://cdn.example.com/img/‹w32›.webp
path dist/main.‹x20›.js
path .git/objects/‹x2›/‹x38›
path /home/‹user›/.config/secrets/token.json
path internal/password/hash_test.go:42:13
path C:\Program Files\Shop\password.txt
path vscode://file/src/auth/password.ts
code password: string = '';
code public password!: string;
code const { email, password } = req.body;
code const pw = await hash(password, 12)
code let token = localStorage.getItem('token');
code token: ${{ secrets.NPM_TOKEN }}
code password = config["database"]["password"]
code password = settings.DB_PASSWORD
code password: env("DB_PASSWORD"),
code "password" => env('DB_PASSWORD'),
code password: process.env["DB_PASSWORD"] ?? "",
code password: ENV["DB_PASSWORD"]
code password = ENV.fetch("DB_PASSWORD")
code password = viper.GetString("db.password")
code password := flag.String("password", "", "the password")
code PASSWORD = decouple.config("PASSWORD")
code String password = System.getenv("DB_PASSWORD");
code @NotBlank String password
code Password string ` + "`yaml:\"password\"`" + `
code password = Column(String(128), nullable=False)
code password: Mapped[str] = mapped_column(String(60))
code pub password: SecretString,
code password: String,
code password: password,
code password: hashedPassword,
code if (password.length < 12) {
code if len(password) < 12:
code return password.equals(other)
code setPassword(e.target.value)
code user.setPassword(encoder.encode(raw));
code verifyPassword(password, user.passwordHash)
code getPassword("alice")
code it("rejects a wrong password", async () => {
code test('login with wrong password shows an error', t => {
code expect(screen.getByText("Invalid password")).toBeVisible()
code "passwordTooShort": "The password is too short",
code password_confirmation: "does not match"
code <input id="pw" type="password" autocomplete="new-password">
code token = tokens[0]
code token = tokenizer.next()
code const token = req.headers.authorization?.split(" ")[1]
code Authorization: ` + "`Bearer ${session.token}`" + `,
code headers["Authorization"] = f"Bearer {token}"
code type Token = { kind: string; value: string }
code export type Secret = z.infer<typeof secretSchema>
code secret_name = "prod/db"
code secretName: db-credentials
code kubectl get secret db -o jsonpath='{.data.password}'
code key={item.id}
code for key, value in items:
code sort_key = "created_at"
code cacheKey: "users:all"
code key: "user.name"
code apiKey: string;
code API_KEY: str
code passwordResetToken   String?
code auth: { type: "basic" }
code credentials: "include"
code credentials: 'same-origin'
code login: async (email, password) => {
code cookie: { secure: true, maxAge: 60000 }
code pass: boolean
code const pass = results.every(r => r.ok)
placeholder DB_PASSWORD=<password>
placeholder DB_PASSWORD=your_password
placeholder DB_PASSWORD=
placeholder DB_PASSWORD=CHANGE_ME
placeholder export TOKEN="$(cat /run/secrets/token)"
placeholder mysql -u root -p"$DB_PASSWORD"
placeholder mysql://root:${DB_PASSWORD}@‹host›/‹name›
placeholder postgres://user:password@localhost/‹name›
placeholder postgresql://username:password@host:5432/database
placeholder https://user:pass@example.com
placeholder curl -u username:password https://example.com
placeholder API_KEY="<YOUR_API_KEY>"
placeholder Authorization: Bearer <your-token>
placeholder --token <token>
placeholder --password PASSWORD
placeholder password: [hidden]
placeholder Password: ••••••••
placeholder {"password":"***"}
placeholder AWS_SECRET_ACCESS_KEY=...
placeholder SECRET_KEY={{ secret_key }}
placeholder sshpass -p "$PW" ssh a@b
placeholder vault kv put secret/shop password=@pw.txt
placeholder docker login -u $USER -p $TOKEN
command docker run --rm -p 5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres
command docker exec -it db psql -U postgres -w
command mkdir -p ~/.ssh && chmod 700 ~/.ssh
command ssh -p 22022 -i ~/.ssh/id_ed25519 ‹user›@‹host›
command curl -p -x http://proxy:3128 https://example.com
command zip -r a.zip src
command unzip -q a.zip -d out
command 7z l a.7z
command az login --use-device-code
command az account show -o table
command oc login --web
command helm upgrade -i shop ./chart -n prod
command mongodump --port 27017 -o out
command htpasswd -D .htpasswd ‹user›
command net start spooler
command openssl s_client -connect ‹host›:443
command echo hello | tee out.txt
command echo "$PW" | docker login -u ‹user› --password-stdin
command redis-cli -p 6380 ping
command wc -w docs/password.md
command grep -rn "password" --include=*.go .
command git log --grep=password
command git stash push -m "token refresh"
command vault token lookup
command sudo -S true
command kill -9 1234; lsof -p 4321
sentence the password must contain a number
sentence the password should not be logged
sentence the password can be reset by an admin
sentence your password has expired
sentence my password does not work
sentence the password is reset every month
sentence password is mandatory
sentence the password is asked for twice
sentence Password: at least 12 characters
sentence change the password
sentence change the password to something longer
sentence the password to the archive is lost
sentence is the password correct?
sentence what is the password for?
sentence the token is invalid
sentence the token is a JWT with three parts
sentence the secret is mounted as a file
sentence the api key is stored in the keychain
sentence login is broken since yesterday
sentence login: see the wiki
sentence log in as bob and open the page
sentence sign in with Google
sentence the credentials are wrong
sentence credentials: from the environment
sentence pass the token as a header
sentence the tests pass on Windows
sentence the pin is optional
sentence set a password before you share the file
sentence show the password strength below the field
sentence add a password field to the user form
sentence password hashing takes 250 ms
sentence the password column is varchar(255)
sentence the database password comes from Vault
sentence why is the password printed in the log?
sentence a password manager, a passkey and a token
sentence key points: speed, size, safety
sentence Bearer authentication is enough
sentence the secret santa page is live
sentence das Passwort ist zu kurz
sentence das Passwort ist ungültig
sentence Passwort: mindestens 8 Zeichen
sentence bitte das Passwort zurücksetzen
sentence le mot de passe est trop court
sentence mot de passe : au moins 8 caractères
sentence la contraseña es incorrecta
sentence la contraseña es demasiado corta
sentence contraseña: mínimo 8 caracteres
sentence a senha está errada
sentence a senha é muito curta
sentence la password è sbagliata
sentence het wachtwoord is onjuist
sentence hasło jest za krótkie
sentence zapomniałem hasła
sentence heslo je nesprávné
sentence salasana on väärä
sentence lösenordet är fel
sentence adgangskoden er for kort
sentence passordet er obligatorisk
sentence parola este prea scurtă
sentence a jelszó kötelező
sentence пароль слишком короткий
sentence пароль не подходит
sentence неверный пароль, попробуйте ещё раз
sentence 密码太短
sentence 忘记密码怎么办
sentence 密码是加密存储的
sentence パスワードは必須項目です
sentence パスワードは暗号化されています
sentence 비밀번호를 잊어버렸어요
sentence mật khẩu không đúng
sentence şifre çok kısa
sentence parola çok kısa
sentence ο κωδικός είναι λάθος
sentence הסיסמה שגויה
prose node v22.11.0, npm 10.9.0, go1.26.8
prose ISO-8859-1, UTF-8 and X.509
prose HTTP/1.1 401 Unauthorized
prose Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36
prose rgba(12, 34, 56, 0.7) and #a1b2c3
prose 3 failed, 127 passed in 12.34s
prose SNAKE_CASE_CONSTANT_2 = 42
prose aXbYcZ and userId2FA
prose https://example.com/?utm_source=mail&utm_campaign=spring2024
`}

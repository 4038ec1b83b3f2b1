package redact

import "strings"

// format is a well-known form of token. rest says what follows begins, piece by piece: a class of bytes and how many of
// them there are at least (with ! exactly), and between them bytes that stand for themselves. The classes: a letters and
// digits, w these and - and _, x hexadecimal, d digits, l lower case and digits, u upper case and digits, b base64 of both
// alphabets. What stands before > is no secret. A format without a kind is public, and passed over.
type format struct{ begins, rest, kind string }

// formats are what the issuers document, sometimes a little shorter.
var formats = [...]format{
	{"ABIA", "u16", "aws-key-id"}, {"ABSK", "b80", "aws-secret"}, {"ACCA", "u16", "aws-key-id"}, {"AGE-SECRET-KEY-1", "a40", "age-key"}, {"AIza", "w33", "google-key"},
	{"AKCp", "a60", "jfrog-key"}, {"AKIA", "u16", "aws-key-id"}, {"AKID", "a32", "tencent-key-id"}, {"API-", "u26", "octopus-key"}, {"AQVN", "w35", "yandex-key"},
	{"ASIA", "u16", "aws-key-id"}, {"ATATT3", "b40", "atlassian-token"}, {"ATBB", "a28", "atlassian-token"}, {"ATCTT3", "b40", "atlassian-token"}, {"ATOA", "b40", "atlassian-token"},
	{"ATTA", "x60", "trello-token"}, {"AVNS_", "w18", "aiven-password"}, {"A3-", "u6!-u6-u5-u5", "1password-key"},
	{"CCIPAT_", "w30", "circleci-token"}, {"CCIPRJ_", "w30", "circleci-token"}, {"CFPAT-", "w40", "contentful-token"}, {"CLOJARS_", "a50", "clojars-token"},
	{"EAA", "a60", "facebook-token"}, {"EAAA", "w56", "square-token"}, {"EZAK", "a54", "easypost-key"}, {"EZTK", "a54", "easypost-key"},
	{"FLWSECK-", "w12", "flutterwave-key"}, {"FLWSECK_TEST-", "w12", "flutterwave-key"},
	{"GOCSPX-", "w20", "google-oauth"}, {"GR1348941", "w18", "gitlab-token"},
	{"HRKU-", "w30", "heroku-key"},
	{"LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtF", "b20", "private-key"}, {"LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJ", "b20", "private-key"}, {"LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZB", "b20", "private-key"},
	{"LS0tLS1CRUdJTiBQUklWQVRFIEtF", "b20", "private-key"}, {"LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL", "b20", "private-key"},
	{"LTAI", "a20", "alibaba-key-id"},
	{"NF-", "a32!", "nightfall-key"}, {"NRAK-", "a24", "newrelic-key"}, {"NRII-", "w32", "newrelic-key"},
	{"PMAK-", "w40", "postman-key"}, {"SG.", "w16.w17", "sendgrid-key"}, {"SK", "x32!", "twilio-key"}, {"WPL_AP1.", "a10.b6", "linkedin-secret"},
	{"access-development-", "x8-x4-w10", "plaid-token"}, {"access-production-", "x8-x4-w10", "plaid-token"}, {"access-sandbox-", "x8-x4-w10", "plaid-token"}, {"aio_", "a26", "adafruit-key"},
	{"api_org_", "a30", "huggingface-token"}, {"apify_api_", "a30", "apify-token"}, {"authress_", "l5.l4.acc_l10.b30", "authress-key"},
	{"akab-", "l16-l16", "akamai-token"}, {"api_live.", "w10.w30", "onfido-token"}, {"api_sandbox.", "w10.w30", "onfido-token"}, {"bkua_", "a30", "buildkite-token"},
	{"cio", "a32!", "crates-token"}, {"cmVmd", "a59", "jfrog-key"}, {"csk-", "l40", "cerebras-key"},
	{"cu_", "x32!", "checkly-key"}, {"dapi", "x32", "databricks-token"}, {"dckr_oat_", "w20", "docker-token"}, {"dckr_pat_", "w20", "docker-token"}, {"ddp_", "a32", "deno-token"}, {"ddw_", "a32", "deno-token"},
	{"dkea", "x32", "databricks-token"}, {"dnkey-", "w50", "defined-token"}, {"doo_v1_", "x40", "digitalocean-token"}, {"dop_v1_", "x40", "digitalocean-token"}, {"dor_v1_", "x40", "digitalocean-token"},
	{"dp.", "l2.w40", "doppler-token"}, {"dp.", "l2.w2.w40", "doppler-token"}, {"dp.", "l4.w40", "doppler-token"}, {"dp.", "l5.w40", "doppler-token"},
	{"dt0", "l3.a8.a24", "dynatrace-token"}, {"dt0", "l3.a24", "dynatrace-token"}, {"duffel_live_", "w40", "duffel-token"}, {"duffel_test_", "w40", "duffel-token"},
	{"e2b_", "x36", "e2b-key"}, {"endr+", "w16", "endor-token"}, {"ext_", "l5.l4.acc_l10.b30", "authress-key"},
	{"fc-", "x32!", "firecrawl-key"}, {"figd_", "w35", "figma-token"}, {"fio-u-", "w60", "frameio-token"}, {"fm2_", "b60", "fly-token"}, {"fo1_", "w40", "fly-token"}, {"fw_", "a22", "fireworks-key"},
	{"gho_", "a30", "github-token"}, {"ghp_", "a30", "github-token"}, {"ghr_", "a30", "github-token"}, {"ghs_", "w30", "github-token"}, {"ghu_", "a30", "github-token"}, {"github_pat_", "w40", "github-token"},
	{"glagent-", "w40", "gitlab-token"}, {"glc_", "b32", "grafana-token"}, {"glcbt-", "w18", "gitlab-token"}, {"gldt-", "w18", "gitlab-token"}, {"glffct-", "w18", "gitlab-token"}, {"glft-", "w18", "gitlab-token"},
	{"glimt-", "w18", "gitlab-token"}, {"gloas-", "w18", "gitlab-token"}, {"glpat-", "w18.l2.l7", "gitlab-token"}, {"glpat-", "w18", "gitlab-token"}, {"glptt-", "w30", "gitlab-token"},
	{"glrt-", "w18", "gitlab-token"}, {"glrtr-", "w18", "gitlab-token"}, {"glsa_", "w32", "grafana-token"}, {"glsoat-", "w18", "gitlab-token"}, {"glwt-", "w18", "gitlab-token"}, {"gsk_", "a40", "groq-key"},
	{"hf_", "a30", "huggingface-token"}, {"hvb.", "w20", "vault-token"}, {"hvr.", "w20", "vault-token"}, {"hvs.", "w20", "vault-token"},
	{"ico-", "a32", "infracost-key"}, {"ion_", "a42", "ionic-token"}, {"jina_", "w40", "jina-key"}, {"key-", "x32", "mailgun-key"}, {"key_", "x64!", "dotenv-key"},
	{"lin_api_", "a32", "linear-key"}, {"lin_oauth_", "a32", "linear-key"}, {"live_", "a30!", "live-key"}, {"live_", "x35!", "live-key"}, {"live_", "w40!", "live-key"}, {"lsv2_", "l2_x32", "langsmith-key"}, {"mdb_sa_sk_", "w32", "mongodb-secret"}, {"mlsn.", "x60", "mailersend-token"},
	{"napi_", "l40", "neon-key"}, {"nfp_", "a30", "netlify-token"}, {"npg_", "a12", "neon-password"}, {"npm_", "a30", "npm-token"}, {"ntn_", "a40", "notion-token"}, {"nvapi-", "w40", "nvidia-key"}, {"nyk_v0_", "a40", "nylas-key"},
	{"ops_eyJ", "b60", "1password-key"}, {"oy2", "l43!", "nuget-key"},
	{"p8e-", "a32", "adobe-key"}, {"pa-", "w43!", "voyage-key"}, {"pat", "a14!.x60", "airtable-token"}, {"pat.", "w20.x20.a18", "harness-token"}, {"pat-eu1-", "x8-x4-w10", "hubspot-token"}, {"pat-na1-", "x8-x4-w10", "hubspot-token"},
	{"pcsk_", "a4_a30", "pinecone-key"}, {"pdl_live_apikey_", "w30", "paddle-key"}, {"pdl_sdbx_apikey_", "w30", "paddle-key"}, {"phx_", "a40", "posthog-key"}, {"pnb_", "a36", "prefect-token"}, {"pnu_", "a36", "prefect-token"},
	{"polar_", "l3_a30", "polar-token"}, {"pplx-", "a40", "perplexity-key"}, {"pscale_oauth_", "w30", "planetscale-token"}, {"pscale_pw_", "w30", "planetscale-token"}, {"pscale_tkn_", "w30", "planetscale-token"},
	{"pul-", "x40", "pulumi-token"}, {"pylf_v1_", "w30", "logfire-token"}, {"pypi-", "w60", "pypi-token"}, {"pypi-AgE", "w40", "pypi-token"},
	{"r8_", "a37", "replicate-token"}, {"rdme_", "a60", "readme-key"}, {"re_", "a6_a20", "resend-key"}, {"rk_live_", "a10", "stripe-key"}, {"rk_test_", "a10", "stripe-key"}, {"rnd_", "a26", "render-key"},
	{"rubygems_", "x40", "rubygems-key"}, {"rzp_live_", "a14", "razorpay-key"}, {"rzp_test_", "a14", "razorpay-key"},
	{"s-s4t2ud-", "x60", "intra-secret"}, {"s.", "a24!", "vault-token"}, {"samsara_api_", "a28", "samsara-token"}, {"sandbox_", "w40!", "sandbox-key"}, {"sat.", "w20.x20.a18", "harness-token"},
	{"sb_secret_", "w28", "supabase-token"}, {"sbp_", "x40", "supabase-token"}, {"sc_", "l5.l4.acc_l10.b30", "authress-key"}, {"sdk-", "x8-x4-x4-x4-x12", "launchdarkly-key"}, {"api-", "x8-x4-x4-x4-x12", "launchdarkly-key"},
	{"sec-c-", "b40", "pubnub-key"}, {"secret-", "a40", "statsig-secret"}, {"secret-live-", "b30", "stytch-secret"}, {"secret-test-", "b30", "stytch-secret"}, {"secret_", "a43", "notion-token"}, {"sgp_", "x16_x40", "sourcegraph-token"}, {"sgp_", "a40", "segment-token"},
	{"sgp_local_", "x40", "sourcegraph-token"}, {"sha256~", "w40", "openshift-token"}, {"shippo_live_", "x40", "shippo-token"}, {"shippo_test_", "x40", "shippo-token"},
	{"shpat_", "a32", "shopify-token"}, {"shpca_", "a32", "shopify-token"}, {"shppa_", "a32", "shopify-token"}, {"shpss_", "a32", "shopify-token"}, {"shptka_", "a32", "shopify-token"}, {"signkey-", "l4-x40", "inngest-key"},
	{"sk-", "w20", "openai-key"}, {"sk-admin-", "w20", "openai-key"}, {"sk-ant-", "w20", "anthropic-key"}, {"sk-lf-", "x8-x4-w10", "langfuse-key"}, {"sk-or-v1-", "x40", "openrouter-key"}, {"sk-proj-", "w20", "openai-key"}, {"sk-svcacct-", "w20", "openai-key"},
	{"sk.eyJ", "w20.w16", "mapbox-token"}, {"tk.eyJ", "w20.w16", "mapbox-token"}, {"sk_", "x40", "elevenlabs-key"}, {"sk_live_", "a10", "stripe-key"}, {"sk_test_", "a10", "stripe-key"}, {"sk_org_live_", "a10", "stripe-key"},
	{"sl.", "w100", "dropbox-token"}, {"slk_", "x60", "sourcegraph-token"}, {"sm_aat_", "a16", "settlemint-token"}, {"sm_pat_", "a16", "settlemint-token"}, {"sm_sat_", "a16", "settlemint-token"},
	{"sntrys_", "b40", "sentry-token"}, {"sntryu_", "x40", "sentry-token"}, {"sq0atp-", "w22", "square-token"}, {"sq0csp-", "w40", "square-token"}, {"sqa_", "a40", "sonar-token"}, {"sqp_", "a40", "sonar-token"}, {"squ_", "a40", "sonar-token"},
	{"sup_sk_", "a30", "sumup-key"}, {"syt_", "w10_w10", "matrix-token"},
	{"t1.", "w20.w80", "yandex-key"}, {"test_", "a30!", "test-key"}, {"test_", "x35!", "test-key"}, {"tfp_", "w50", "typeform-token"}, {"tgp_v1_", "w40", "together-key"}, {"tk-us-", "w40", "scalingo-token"}, {"tr_dev_", "a20", "trigger-key"}, {"tr_prod_", "a20", "trigger-key"},
	{"tss_", "a36", "thunderstore-token"}, {"tskey-", "w20", "tailscale-key"}, {"tvly-", "w30", "tavily-key"},
	{"unkey_", "a20", "unkey-key"}, {"v1.0-", "x24-x100", "cloudflare-key"}, {"vercel_blob_rw_", "a12_a20", "vercel-token"}, {"waka_", "x8-x4-w10", "wakatime-key"}, {"whsec_", "b20", "stripe-key"},
	{"xaat-", "x8-x4-w10", "axiom-token"}, {"xai-", "a40", "xai-key"}, {"xau_", "w40", "xata-key"}, {"xapp-", "w16", "slack-token"}, {"xapt-", "x8-x4-w10", "axiom-token"}, {"xkeysib-", "w60", "brevo-key"},
	{"xoxa-", "w16", "slack-token"}, {"xoxb-", "w16", "slack-token"}, {"xoxc-", "w16", "slack-token"}, {"xoxd-", "b16", "slack-token"}, {"xoxe-", "w16", "slack-token"}, {"xoxe.", "w20", "slack-token"}, {"xoxo-", "w12", "slack-token"},
	{"xoxp-", "w16", "slack-token"}, {"xoxr-", "w16", "slack-token"}, {"xoxs-", "w16", "slack-token"}, {"xsmtpsib-", "w60", "brevo-key"}, {"y0_", "w40", "yandex-key"}, {"ya29.", "w20", "google-oauth"}, {"zpka_", "x32_x8", "zuplo-key"},
	{"00D", "a12!!w60", "salesforce-token"}, {"00D", "a15!!w60", "salesforce-token"}, {"1//0", "w30", "google-oauth"}, {"4b1d", "a38!", "clickhouse-key"},

	// Addresses that are secrets themselves.
	{"chat.googleapis", ".com/v1/spaces/w4/messages?key=w20&token=>w20", "google-webhook"}, {"discord", ".com/api/webhooks/d10/>w20", "discord-webhook"}, {"discordapp", ".com/api/webhooks/d10/>w20", "discord-webhook"},
	{"bot", "d8!:>'AA'w30", "telegram-token"}, {"bot", "d9!:>'AA'w30", "telegram-token"}, {"bot", "d10!:>'AA'w30", "telegram-token"},
	{"hooks", ".slack.com/services/>a8/a8/a16", "slack-webhook"}, {"hooks", ".slack.com/triggers/>a8/d8/a16", "slack-webhook"}, {"hooks", ".slack.com/workflows/>a8/a8/d8/a16", "slack-webhook"},
	{"hooks", ".zapier.com/hooks/catch/d5/>a5", "zapier-webhook"}, {"maker", ".ifttt.com/trigger/w1/with/key/>w16", "ifttt-key"}, {"open", ".feishu.cn/open-apis/bot/v2/hook/>w16", "feishu-webhook"},
	{"open", ".larksuite.com/open-apis/bot/v2/hook/>w16", "feishu-webhook"}, {"qyapi", ".weixin.qq.com/cgi-bin/webhook/send?key=>w16", "wecom-webhook"}, {"webhook", ".office.com/webhookb2/>w30@w30/IncomingWebhook/w10/w10", "teams-webhook"},
	{"webhook", ".office.com/webhookb2/>w30", "teams-webhook"},

	// What begins with its form, not with a name.
	{"", "d8!:'AA'w30", "telegram-token"}, {"", "d9!:'AA'w30", "telegram-token"}, {"", "d10!:'AA'w30", "telegram-token"}, {"M", "a22.w6!.w27", "discord-token"}, {"N", "a22.w6!.w27", "discord-token"}, {"O", "a22.w6!.w27", "discord-token"},
	{"", "a3!d1!Q~w30", "azure-key"}, {"", "a14!.'atlasv1'.w40", "terraform-token"}, {"", "x32!-'us'd1", "mailchimp-key"}, {"", "x36!'NRAL'", "newrelic-key"}, {"", "a6!_a29!_'mmk'", "maxmind-key"},
	{"", "d1!/d12/d12:x32", "asana-token"}, {"", "d1!/d12:x32", "asana-token"}, {"", "l10!'msh'l15!'p'l6!'jsn'l12", "rapidapi-key"}, {"2", "a26!_a20", "ngrok-token"},

	// Public by their form.
	{"AAAAB3NzaC1", "b16", ""}, {"AAAAC3NzaC1", "b16", ""}, {"AAAAE2VjZHNhLXNo", "b16", ""}, {"AAAAGnNr", "b16", ""}, {"AAAAInNr", "b16", ""}, {"Qm", "a44!", ""}, {"R0lGOD", "b16", ""}, {"UklGR", "b16", ""}, {"iVBORw0KGgo", "b16", ""},
	{"LS0tLS1CRUdJTiBDRVJU", "b16", ""}, {"LS0tLS1CRUdJTiBQVUJM", "b16", ""}, {"d09GM", "b16", ""}, {"phc_", "a16", ""}, {"pk-lf-", "w8", ""}, {"pk.eyJ", "w16.w16", ""}, {"pk_live_", "a8", ""}, {"pk_test_", "a8", ""},
	{"sb_publishable_", "w16", ""}, {"FLWPUBK", "w16", ""}, {"msg_", "a16", ""}, {"req_", "a16", ""}, {"resp_", "a16", ""}, {"run_", "a16", ""}, {"thread_", "a16", ""}, {"toolu_", "w16", ""}, {"srvtoolu_", "w16", ""}, {"call_", "a16", ""},
	{"chatcmpl-", "w16", ""}, {"asst_", "a16", ""}, {"agent_", "a16", ""}, {"agent_msg_", "a16", ""}, {"12D3KooW", "a40", ""}, {"16Uiu2HA", "a40", ""}, {"evt_", "a16", ""}, {"cus_", "a14", ""}, {"price_", "a16", ""}, {"prod_", "a14", ""}, {"pi_", "a16", ""}, {"in_", "a16", ""}, {"sub_", "a16", ""}, {"ch_", "a16", ""},
}

// head has one more than the place of the first format that begins with a byte, of those without a beginning under 0, and
// next that of the one after it; starts is how the longer ones begin.
type formatIndex struct {
	head   [128]int16
	next   [len(formats)]int16
	starts triples
}

func (x *formatIndex) build() {
	for i := len(formats) - 1; i >= 0; i-- {
		f, b := &formats[i], byte(0)
		if f.begins != "" {
			b = f.begins[0]
		}
		if len(f.begins) > 2 {
			x.starts.add(f.begins, 0)
		}
		x.next[i], x.head[b] = x.head[b], int16(i+1)
	}
}

// known recognises a well-known token that begins at i, in the word that ends at end.
func known(s string, i, end int) (span, bool) {
	if strings.HasPrefix(s[i:], "eyJ") {
		return jwt(s, i)
	}
	best := -1
	var found span
	for k, n := range [...]int16{index.formats.head[s[i]&0x7f], index.formats.head[0]} {
		if k == 1 && class[s[i]]&digit == 0 && end-i != 14 && end-i < 32 && (end >= len(s) || s[end] != '~') {
			break // no form without a beginning
		}
		if k == 1 && end-i < 8 && (end >= len(s) || s[end] != '/' && s[end] != '~') {
			break
		}
		if k == 0 && len(s)-i > 2 && !index.formats.starts.has(s, i) && s[i+1] != '.' && strings.IndexByte("MNOSQ2", s[i]) < 0 {
			continue
		}
		for ; n != 0; n = index.formats.next[n-1] {
			f := &formats[n-1]
			if len(f.begins) > best && strings.HasPrefix(s[i:], f.begins) { // the longest beginning says the most
				if x, ok := f.match(s, i); ok {
					best, found = len(f.begins), x
				}
			}
		}
	}
	return found, best >= 0
}

// match reports whether the format stands at i of s, where its beginning does.
func (f *format) match(s string, i int) (span, bool) {
	from, at := i, i+len(f.begins)
	open := false // the last piece has no end of its own
	var of uint8
	for k := 0; k < len(f.rest); {
		c := f.rest[k]
		k++
		if c == '>' {
			from = at
			continue
		}
		if c == '\'' {
			close := k + strings.IndexByte(f.rest[k:], '\'')
			if !strings.HasPrefix(s[at:], f.rest[k:close]) {
				return span{}, false
			}
			at += close - k
			k = close + 1
			open = false
			continue
		}
		digits := k
		for digits < len(f.rest) && class[f.rest[digits]]&digit != 0 {
			digits++
		}
		if of = pieces[c]; of == 0 || digits == k || k > 1 && class[f.rest[k-2]]&(lower|upper) != 0 {
			if at >= len(s) || s[at] != c {
				return span{}, false
			}
			at++
			continue
		}
		least := 0
		for ; k < digits; k++ {
			least = 10*least + int(f.rest[k]-'0')
		}
		last := at
		if k < len(f.rest) && f.rest[k] == '!' {
			k++
			last = runIn(s, at, min(len(s), at+least), of)
			if open = false; last-at == least && k == len(f.rest) && last < len(s) && class[s[last]]&word != 0 {
				return span{}, false
			}
		} else {
			last = run(s, at, of)
			open = true
		}
		if steps(last - at); last-at < least {
			if last-at >= 4 && cutOff(s, last) && (len(f.begins) > 3 || strings.HasSuffix(f.begins, "_")) {
				return span{from, last, f.kind}, f.kind != "" && !placeholder(s[at:last])
			}
			return span{}, false
		}
		if v := s[at:min(last, at+256)]; f.kind != "" && least >= 16 && (placeholder(v) || of&lower != 0 && (lone(v) || f.ambiguous() && wordy(v))) {
			return span{}, false
		}
		at = last
	}
	if open {
		if of&(base|word) != 0 {
			at = run(s, at, alnum|base)
		}
		at = run(s, at, alnum) // a byte of another class would be an odd token, but what remained would be a part of it
	}
	return span{from, at, f.kind}, true
}

// ambiguous reports whether names of another kind begin as the format does.
func (f *format) ambiguous() bool {
	return len(f.begins) < 5 && !strings.HasSuffix(f.begins, "_") || f.begins == "live_" || f.begins == "test_" || f.begins == "sandbox_"
}

// lone reports whether v is one word and not drawn at random.
func lone(v string) bool {
	f := measure(v)
	return f.digits == 0 && (f.uppers == 0 || f.lowers == 0 || f.lettered > 14)
}

// pieces are the classes that a format names.
var pieces = [128]uint8{'a': alnum, 'w': alnum | word, 'x': hexa | digit, 'd': digit, 'l': lower | digit, 'u': upper | digit, 'b': alnum | base}

// cutOff reports whether a text was shortened at i, so that a token may be incomplete.
func cutOff(s string, i int) bool {
	return strings.HasPrefix(s[i:], "…") || strings.HasPrefix(s[i:], "...")
}

func jwt(s string, i int) (span, bool) {
	end := run(s, i, alnum|word)
	if end-i < 12 {
		return span{}, false
	}
	parts := 1
	for end+1 < len(s) && s[end] == '.' && class[s[end+1]]&(alnum|word) != 0 {
		next := run(s, end+1, alnum|word)
		if next-end < 7 && parts < 2 {
			break
		}
		end = next
		parts++
	}
	if parts < 2 && end-i < 60 { // a header alone says nothing
		return span{}, false
	}
	return span{i, end, "jwt"}, true
}

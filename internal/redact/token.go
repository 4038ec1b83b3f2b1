package redact

import "strings"

// token is a well-known format: a prefix, and what follows it.
type token struct {
	prefix, kind string
	min          int   // length of what follows, at least
	of           uint8 // the bytes it is made of
}

// The formats by the first letter of their prefix. Lengths are what the issuers document, or a little less.
var (
	tokensA = [...]token{
		{"AGE-SECRET-KEY-1", "age-key", 40, alnum}, {"ATATT3", "atlassian-token", 40, alnum | base}, {"ATCTT3", "atlassian-token", 40, alnum | base}, {"ATBB", "atlassian-token", 28, alnum},
		{"AKCp", "jfrog-key", 60, alnum}, {"API-", "octopus-key", 26, upper | digit}, {"A3-", "1password-key", 30, upper | digit | word}, {"api_org_", "huggingface-token", 30, alnum},
		{"AIza", "google-key", 33, alnum | base},
	}
	tokensB = [...]token{{"bkua_", "buildkite-token", 30, alnum}}
	tokensC = [...]token{{"CCIPAT_", "circleci-token", 30, alnum | word}, {"CLOJARS_", "clojars-token", 50, alnum}, {"CFPAT-", "contentful-token", 40, alnum | word}}
	tokensD = [...]token{
		{"dckr_pat_", "docker-token", 20, alnum | word}, {"dckr_oat_", "docker-token", 20, alnum | word}, {"dop_v1_", "digitalocean-token", 40, hexa}, {"doo_v1_", "digitalocean-token", 40, hexa},
		{"dt0c01.", "dynatrace-token", 24, alnum}, {"duffel_live_", "duffel-token", 40, alnum | base}, {"duffel_test_", "duffel-token", 40, alnum | base}, {"dnkey-", "defined-token", 50, alnum | base},
		{"dor_v1_", "digitalocean-token", 40, hexa}, {"dapi", "databricks-token", 32, hexa}, {"dp.pt.", "doppler-token", 40, alnum}, {"dp.st.", "doppler-token", 40, alnum | word},
	}
	tokensE = [...]token{{"EAAA", "square-token", 56, alnum | word}, {"EAA", "facebook-token", 60, alnum}, {"EZAK", "easypost-key", 54, alnum}, {"EZTK", "easypost-key", 54, alnum}}
	tokensF = [...]token{
		{"FLWSECK_TEST-", "flutterwave-key", 12, alnum | word}, {"FLWSECK-", "flutterwave-key", 12, alnum | word}, {"fio-u-", "frameio-token", 60, alnum | base}, {"fo1_", "fly-token", 40, alnum | word}, {"fm2_", "fly-token", 60, alnum | base},
		{"figd_", "figma-token", 35, alnum | word}}
	tokensG = [...]token{
		{"ghp_", "github-token", 30, alnum}, {"gho_", "github-token", 30, alnum}, {"ghu_", "github-token", 30, alnum}, {"ghs_", "github-token", 30, alnum | word}, {"ghr_", "github-token", 30, alnum},
		{"github_pat_", "github-token", 40, alnum | word}, {"glpat-", "gitlab-token", 18, alnum | word}, {"gldt-", "gitlab-token", 18, alnum | word}, {"glptt-", "gitlab-token", 30, alnum | word},
		{"glrt-", "gitlab-token", 18, alnum | word}, {"glffct-", "gitlab-token", 18, alnum | word}, {"glft-", "gitlab-token", 18, alnum | word}, {"glimt-", "gitlab-token", 18, alnum | word},
		{"glagent-", "gitlab-token", 40, alnum | word}, {"glsoat-", "gitlab-token", 18, alnum | word}, {"GR1348941", "gitlab-token", 18, alnum | word}, {"glcbt-", "gitlab-token", 18, alnum | word}, {"glsa_", "grafana-token", 32, alnum | word}, {"glc_", "grafana-token", 32, alnum | base},
		{"GOCSPX-", "google-oauth", 20, alnum | word}, {"gsk_", "groq-key", 40, alnum},
	}
	tokensH = [...]token{
		{"hf_", "huggingface-token", 30, alnum}, {"hvs.", "vault-token", 20, alnum | word}, {"hvb.", "vault-token", 20, alnum | word}, {"hvr.", "vault-token", 20, alnum | word},
		{"HRKU-", "heroku-key", 30, alnum | word},
	}
	tokensI = [...]token{{"ico-", "infracost-key", 32, alnum}}
	tokensK = [...]token{{"key-", "mailgun-key", 32, hexa}}
	tokensL = [...]token{{"LTAI", "alibaba-key-id", 20, alnum}, {"lin_api_", "linear-key", 32, alnum}, {"lin_oauth_", "linear-key", 32, alnum}}
	tokensN = [...]token{{"NRII-", "newrelic-key", 32, alnum | word}, {"npm_", "npm-token", 30, alnum}, {"NRAK-", "newrelic-key", 24, alnum}, {"ntn_", "notion-token", 40, alnum}, {"nfp_", "netlify-token", 30, alnum}}
	tokensP = [...]token{
		{"pypi-AgE", "pypi-token", 40, alnum | word}, {"pypi-", "pypi-token", 60, alnum | word}, {"pplx-", "perplexity-key", 40, alnum}, {"PMAK-", "postman-key", 40, alnum | word},
		{"pscale_tkn_", "planetscale-token", 30, alnum | word}, {"pscale_oauth_", "planetscale-token", 30, alnum | word},
		{"pnu_", "prefect-token", 36, alnum}, {"p8e-", "adobe-key", 32, alnum}, {"pscale_pw_", "planetscale-token", 30, alnum | word}, {"pul-", "pulumi-token", 40, hexa}, {"pat-na1-", "hubspot-token", 36, hexa | base},
	}
	tokensO = [...]token{{"ops_eyJ", "1password-key", 60, alnum | base}}
	tokensR = [...]token{{"rdme_", "readme-key", 60, alnum}, {"re_", "resend-key", 28, alnum | word}, {"rk_live_", "stripe-key", 10, alnum}, {"rk_test_", "stripe-key", 10, alnum}, {"rubygems_", "rubygems-key", 40, hexa}, {"r8_", "replicate-token", 37, alnum}}
	tokensS = [...]token{
		{"sk-ant-", "anthropic-key", 20, alnum | word}, {"sk-proj-", "openai-key", 20, alnum | word}, {"sk-svcacct-", "openai-key", 20, alnum | word}, {"sk-admin-", "openai-key", 20, alnum | word},
		{"sk-or-v1-", "openrouter-key", 40, hexa}, {"sk_live_", "stripe-key", 10, alnum}, {"sk_test_", "stripe-key", 10, alnum}, {"sbp_", "supabase-token", 40, hexa},
		{"shpat_", "shopify-token", 32, alnum}, {"shpca_", "shopify-token", 32, alnum}, {"shppa_", "shopify-token", 32, alnum}, {"shpss_", "shopify-token", 32, alnum},
		{"shippo_live_", "shippo-token", 40, hexa}, {"shippo_test_", "shippo-token", 40, hexa}, {"sm_aat_", "settlemint-token", 16, alnum}, {"sm_pat_", "settlemint-token", 16, alnum}, {"sm_sat_", "settlemint-token", 16, alnum},
		{"sqp_", "sonar-token", 40, alnum}, {"squ_", "sonar-token", 40, alnum}, {"secret_", "notion-token", 43, alnum},
		{"sntrys_", "sentry-token", 40, alnum | base}, {"sntryu_", "sentry-token", 40, hexa}, {"sq0atp-", "square-token", 22, alnum | word}, {"sq0csp-", "square-token", 40, alnum | word},
	}
	tokensT = [...]token{{"tfp_", "typeform-token", 50, alnum | base}, {"tskey-", "tailscale-key", 20, alnum | word}}
	tokensW = [...]token{{"whsec_", "stripe-key", 20, alnum | base}}
	tokensX = [...]token{
		{"xoxb-", "slack-token", 16, alnum | word}, {"xoxp-", "slack-token", 16, alnum | word}, {"xoxa-", "slack-token", 16, alnum | word}, {"xoxr-", "slack-token", 16, alnum | word},
		{"xoxs-", "slack-token", 16, alnum | word}, {"xoxe-", "slack-token", 16, alnum | word}, {"xoxe.", "slack-token", 20, alnum | word}, {"xoxc-", "slack-token", 16, alnum | word},
		{"xkeysib-", "brevo-key", 60, alnum | word}, {"xoxo-", "slack-token", 12, alnum | word},
		{"xoxd-", "slack-token", 16, alnum | base}, {"xapp-", "slack-token", 16, alnum | word}, {"xai-", "xai-key", 40, alnum},
	}
	tokensY = [...]token{{"ya29.", "google-oauth", 20, alnum | word}}
)

// known recognises a well-known token that begins at i, in the word that ends at end.
func known(s string, i, end int) (span, bool) {
	var list []token
	switch s[i] {
	case 'A':
		if f, ok := aws(s, i); ok {
			return f, ok
		}
		if f, ok := sid(s, i, end); ok {
			return f, ok
		}
		list = tokensA[:]
	case 'b':
		list = tokensB[:]
	case 'C':
		list = tokensC[:]
	case 'd':
		list = tokensD[:]
	case 'e':
		return jwt(s, i)
	case 'E':
		list = tokensE[:]
	case 'f', 'F':
		list = tokensF[:]
	case 'g', 'G':
		list = tokensG[:]
	case 'h', 'H':
		list = tokensH[:]
	case 'i':
		list = tokensI[:]
	case 'k':
		list = tokensK[:]
	case 'o':
		list = tokensO[:]
	case 't', 'T':
		list = tokensT[:]
	case 'l', 'L':
		list = tokensL[:]
	case 'n', 'N':
		if f, ok := discord(s, i, end); ok {
			return f, ok
		}
		list = tokensN[:]
	case 'M', 'O':
		return discord(s, i, end)
	case 'p', 'P':
		list = tokensP[:]
	case 'r':
		list = tokensR[:]
	case 's', 'S':
		if f, ok := sid(s, i, end); ok {
			return f, ok
		}
		if f, ok := sendgrid(s, i); ok {
			return f, ok
		}
		if f, ok := openai(s, i); ok {
			return f, ok
		}
		list = tokensS[:]
	case 'w':
		list = tokensW[:]
	case 'x':
		list = tokensX[:]
	case 'y':
		list = tokensY[:]
	default:
		if class[s[i]]&digit != 0 {
			return telegram(s, i, end)
		}
		return span{}, false
	}
	for _, t := range list {
		if !strings.HasPrefix(s[i:], t.prefix) {
			continue
		}
		from := i + len(t.prefix)
		body := run(s, from, t.of)
		if body-from < t.min && !(body-from >= 4 && cutOff(s, body)) {
			continue
		}
		if v := s[from:min(body, from+256)]; placeholder(v) || t.of&word != 0 && measure(v).digits+measure(v).uppers == 0 {
			continue
		}
		if t.of&base != 0 || t.of&word != 0 {
			body = run(s, body, alnum|base)
		}
		body = run(s, body, alnum) // a byte of another class would be an odd token, but what remained would be a part of it
		return span{i, body, t.kind}, true
	}
	return span{}, false
}

// cutOff reports whether a text was shortened at i, so that a token may be incomplete.
func cutOff(s string, i int) bool {
	return strings.HasPrefix(s[i:], "…") || strings.HasPrefix(s[i:], "...")
}

func aws(s string, i int) (span, bool) {
	if len(s)-i < 20 {
		return span{}, false
	}
	switch s[i : i+4] {
	case "AKIA", "ASIA", "ABIA", "ACCA":
	default:
		return span{}, false
	}
	end := run(s, i+4, upper|digit)
	if n := end - i; n < 20 || n > 24 || placeholder(s[i:end]) {
		return span{}, false
	}
	return span{i, end, "aws-key-id"}, true
}

// sid is Twilio's: two letters and 32 hexadecimal digits.
func sid(s string, i, end int) (span, bool) {
	if end-i != 34 || s[i:i+2] != "SK" && s[i:i+2] != "AC" || run(s, i+2, hexa) != end {
		return span{}, false
	}
	return span{i, end, "twilio-key"}, true
}

// azure is the secret of an Azure app: its fourth to sixth bytes are a digit, Q and ~.
func azure(s string, i, end int) (span, bool) {
	if end-i != 5 || end+30 > len(s) || s[end] != '~' || s[end-1] != 'Q' || class[s[end-2]]&digit == 0 {
		return span{}, false
	}
	last := end
	for last < len(s) && (class[s[last]]&(alnum|word) != 0 || s[last] == '~' || s[last] == '.') {
		last++
	}
	return span{i, last, "azure-key"}, last-end >= 30
}

func sendgrid(s string, i int) (span, bool) {
	if !strings.HasPrefix(s[i:], "SG.") {
		return span{}, false
	}
	first := run(s, i+3, alnum|word)
	if first-i-3 < 16 || first >= len(s) || s[first] != '.' {
		return span{}, false
	}
	end := run(s, first+1, alnum|word)
	return span{i, end, "sendgrid-key"}, end-first > 16
}

// openai is the older form, without a word behind "sk-".
func openai(s string, i int) (span, bool) {
	if !strings.HasPrefix(s[i:], "sk-") || strings.HasPrefix(s[i:], "sk-ant-") || strings.HasPrefix(s[i:], "sk-or-") {
		return span{}, false
	}
	end := run(s, i+3, alnum|word)
	if v := s[i+3 : end]; len(v) < 20 || wordy(v) || measure(v).digits == 0 || placeholder(v) {
		return span{}, false
	}
	return span{i, end, "openai-key"}, true
}

func jwt(s string, i int) (span, bool) {
	if !strings.HasPrefix(s[i:], "eyJ") {
		return span{}, false
	}
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

func discord(s string, i, end int) (span, bool) {
	if n := end - i; n < 23 || n > 28 || end >= len(s) || s[end] != '.' {
		return span{}, false
	}
	second := run(s, end+1, alnum|word)
	if n := second - end - 1; n < 6 || n > 7 || second >= len(s) || s[second] != '.' {
		return span{}, false
	}
	third := run(s, second+1, alnum|word)
	return span{i, third, "discord-token"}, third-second-1 >= 27
}

func telegram(s string, i, end int) (span, bool) {
	if n := end - i; n < 8 || n > 10 || end >= len(s) || s[end] != ':' || run(s, i, digit) != end || !strings.HasPrefix(s[end+1:], "AA") {
		return span{}, false
	}
	last := run(s, end+1, alnum|word)
	return span{i, last, "telegram-token"}, last-end-1 >= 30
}

// webhook recognises the addresses that are secrets themselves, by the host name whose first label ends at end.
func webhook(s string, i, end int) (span, bool) {
	rest := s[end:]
	switch s[i:end] {
	case "webhook":
		if after, ok := strings.CutPrefix(rest, ".office.com/webhookb2/"); ok {
			from := len(s) - len(after)
			last := from
			for last < len(s) && (class[s[last]]&(alnum|base) != 0 || s[last] == '@') {
				last++
			}
			return span{from, last, "teams-webhook"}, last-from >= 40
		}
	case "hooks":
		if strings.HasPrefix(rest, ".slack.com/services/") || strings.HasPrefix(rest, ".slack.com/workflows/") || strings.HasPrefix(rest, ".slack.com/triggers/") {
			from := end + strings.IndexByte(rest[1:], '/') + 2
			from += strings.IndexByte(s[from:], '/') + 1
			last := run(s, from, alnum|base)
			return span{from, last, "slack-webhook"}, last-from >= 16
		}
	case "discord", "discordapp":
		if after, ok := strings.CutPrefix(rest, ".com/api/webhooks/"); ok {
			from := len(s) - len(after)
			from = run(s, from, digit) + 1
			if from < len(s) && s[from-1] == '/' {
				last := run(s, from, alnum|word)
				return span{from, last, "discord-webhook"}, last-from >= 20
			}
		}
	}
	return span{}, false
}

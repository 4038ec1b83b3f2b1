package redact

import "strings"

// formats are the tokens that issuers document, by kind. A form is the beginning of the token, a colon, and the pieces
// that follow. A piece is a class of bytes and the least number of them (with ! the exact number). Bytes between the
// pieces stand for themselves; quotes ' enclose bytes that could be a class. The classes are: a letters and digits, w
// the same with - and _, x hexadecimal digits, d digits, l small letters and digits, u capitals and digits, b base64 of
// both alphabets. The bytes before > are no secret.
var formats = [...]struct{ kind, forms string }{
	{"1password-key", "A3-:u6!-u6-u5-u5 ops_eyJ:b60"}, {"adafruit-key", "aio_:a26"}, {"adobe-key", "p8e-:a32"},
	{"age-key", "AGE-SECRET-KEY-1:a40"}, {"airtable-token", "pat:a14!.x60"}, {"aiven-password", "AVNS_:w18"},
	{"akamai-token", "akab-:l16-l16"}, {"alibaba-key-id", "LTAI:a20"}, {"anthropic-key", "sk-ant-:w20"},
	{"apify-token", "apify_api_:a30"}, {"asana-token", ":d1!/d12/d12:x32 :d1!/d12:x32"},
	{"atlassian-token", "ATATT3:b40 ATBB:a28 ATCTT3:b40 ATOA:b40"},
	{"authress-key", "authress_:l5.l4.acc_l10.b30 ext_:l5.l4.acc_l10.b30 sc_:l5.l4.acc_l10.b30"},
	{"aws-key-id", "ABIA:u16 ACCA:u16 AKIA:u16 ASIA:u16"}, {"aws-secret", "ABSK:b80"},
	{"axiom-token", "xaat-:x8-x4-w10 xapt-:x8-x4-w10"}, {"azure-key", ":a3!d1!Q~w30"},
	{"brevo-key", "xkeysib-:w60 xsmtpsib-:w60"}, {"buildkite-token", "bkua_:a30"}, {"cerebras-key", "csk-:l40"},
	{"checkly-key", "cu_:x32!"}, {"circleci-token", "CCIPAT_:w30 CCIPRJ_:w30"}, {"clickhouse-key", "4b1d:a38!"},
	{"clojars-token", "CLOJARS_:a50"}, {"cloudflare-key", "v1.0-:x24-x100"}, {"contentful-token", "CFPAT-:w40"},
	{"crates-token", "cio:a32!"}, {"databricks-token", "dapi:x32 dkea:x32"}, {"defined-token", "dnkey-:w50"},
	{"deno-token", "ddp_:a32 ddw_:a32"}, {"digitalocean-token", "doo_v1_:x40 dop_v1_:x40 dor_v1_:x40"},
	{"discord-token", "M:a22.w6!.w27 N:a22.w6!.w27 O:a22.w6!.w27"},
	{"discord-webhook", "discord:.com/api/webhooks/d10/>w20 discordapp:.com/api/webhooks/d10/>w20"},
	{"docker-token", "dckr_oat_:w20 dckr_pat_:w20"},
	{"doppler-token", "dp.:l2.w40 dp.:l2.w2.w40 dp.:l4.w40 dp.:l5.w40"}, {"dotenv-key", "key_:x64!"},
	{"dropbox-token", "sl.:w100"}, {"duffel-token", "duffel_live_:w40 duffel_test_:w40"},
	{"dynatrace-token", "dt0:l3.a8.a24 dt0:l3.a24"}, {"e2b-key", "e2b_:x36"}, {"easypost-key", "EZAK:a54 EZTK:a54"},
	{"elevenlabs-key", "sk_:x40"}, {"endor-token", "endr+:w16"}, {"facebook-token", "EAA:a60"},
	{"feishu-webhook", "open:.feishu.cn/open-apis/bot/v2/hook/>w16 open:.larksuite.com/open-apis/bot/v2/hook/>w16"},
	{"figma-token", "figd_:w35"}, {"firecrawl-key", "fc-:x32!"}, {"fireworks-key", "fw_:a22"},
	{"flutterwave-key", "FLWSECK-:w12 FLWSECK_TEST-:w12"}, {"fly-token", "fm2_:b60 fo1_:w40"},
	{"frameio-token", "fio-u-:w60"}, {"gitea-token", "gto_:l40"}, {"github-token", "gho_:a30 ghp_:a30 ghr_:a30 ghs_:w30 ghu_:a30 github_pat_:w40"},
	{"gitlab-token", "GR1348941:w18 glagent-:w40 glcbt-:w18 gldt-:w18 glffct-:w18 glft-:w18 glimt-:w18 gloas-:w18"},
	{"gitlab-token", "glpat-:w18.l2.l7 glpat-:w18 glptt-:w30 glrt-:w18 glrtr-:w18 glsoat-:w18 glwt-:w18"},
	{"google-key", "AIza:w33"}, {"google-oauth", "GOCSPX-:w20 ya29.:w20 1//0:w30"},
	{"google-webhook", "chat.googleapis:.com/v1/spaces/w4/messages?key=w20&token=>w20"},
	{"grafana-token", "glc_:b32 glsa_:w32"}, {"groq-key", "gsk_:a40"},
	{"harness-token", "pat.:w20.x20.a18 sat.:w20.x20.a18"}, {"heroku-key", "HRKU-:w30"},
	{"hubspot-token", "pat-eu1-:x8-x4-w10 pat-na1-:x8-x4-w10"}, {"huggingface-token", "api_org_:a30 hf_:a30"},
	{"ifttt-key", "maker:.ifttt.com/trigger/w1/with/key/>w16"}, {"infracost-key", "ico-:a32"},
	{"inngest-key", "signkey-:l4-x40"}, {"intra-secret", "s-s4t2ud-:x60"}, {"ionic-token", "ion_:a42"},
	{"jfrog-key", "AKCp:a60 cmVmd:a59"}, {"jina-key", "jina_:w40"}, {"jwt", "eyJ:w57 eyJ:w2.w1 eyJ:w2.w1.w1 eyJ:w2.w1.w1.w1.w1"}, {"langfuse-key", "sk-lf-:x8-x4-w10"},
	{"langsmith-key", "lsv2_:l2_x32"}, {"launchdarkly-key", "sdk-:x8-x4-x4-x4-x12 api-:x8-x4-x4-x4-x12"},
	{"linear-key", "lin_api_:a32 lin_oauth_:a32"}, {"linkedin-secret", "WPL_AP1.:a10.b6"},
	{"live-key", "live_:a30! live_:x35! live_:w40!"}, {"logfire-token", "pylf_v1_:w30"},
	{"mailchimp-key", ":x32!-'us'd1"}, {"mailersend-token", "mlsn.:x60"}, {"mailgun-key", "key-:x32"},
	{"mapbox-token", "sk.eyJ:w20.w16 tk.eyJ:w20.w16"}, {"matrix-token", "syt_:w10_w10"},
	{"maxmind-key", ":a6!_a29!_'mmk'"}, {"mongodb-secret", "mdb_sa_sk_:w32"}, {"neon-key", "napi_:l40"},
	{"neon-password", "npg_:a12"}, {"netlify-token", "nfp_:a30"}, {"newrelic-key", "NRAK-:a24 NRII-:w32 :x36!'NRAL'"},
	{"ngrok-token", "2:a26!_a20"}, {"nightfall-key", "NF-:a32!"}, {"notion-token", "ntn_:a40 secret_:a43"},
	{"npm-token", "npm_:a30"}, {"nuget-key", "oy2:l43!"}, {"nvidia-key", "nvapi-:w40"}, {"nylas-key", "nyk_v0_:a40"},
	{"octopus-key", "API-:u26"}, {"onfido-token", "api_live.:w10.w30 api_sandbox.:w10.w30"},
	{"openai-key", "sk-:w20 sk-admin-:w20 sk-proj-:w20 sk-svcacct-:w20"}, {"openrouter-key", "sk-or-v1-:x40"},
	{"openshift-token", "sha256~:w40"}, {"paddle-key", "pdl_live_apikey_:w30 pdl_sdbx_apikey_:w30"},
	{"perplexity-key", "pplx-:a40"}, {"pinecone-key", "pcsk_:a4_a30"},
	{"plaid-token", "access-development-:x8-x4-w10 access-production-:x8-x4-w10 access-sandbox-:x8-x4-w10"},
	{"planetscale-token", "pscale_oauth_:w30 pscale_pw_:w30 pscale_tkn_:w30"}, {"polar-token", "polar_:l3_a30"},
	{"posthog-key", "phx_:a40"}, {"postman-key", "PMAK-:w40"}, {"prefect-token", "pnb_:a36 pnu_:a36"},
	{"private-key", "LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtF:b20 LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJ:b20"},
	{"private-key", "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZB:b20 LS0tLS1CRUdJTiBQUklWQVRFIEtF:b20"},
	{"private-key", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL:b20"}, {"pubnub-key", "sec-c-:b40"},
	{"pulumi-token", "pul-:x40"}, {"pypi-token", "pypi-:w60 pypi-AgE:w40"},
	{"rapidapi-key", ":l10!'msh'l15!'p'l6!'jsn'l12"}, {"razorpay-key", "rzp_live_:a14 rzp_test_:a14"},
	{"readme-key", "rdme_:a60"}, {"render-key", "rnd_:a26"}, {"replicate-token", "r8_:a37"},
	{"resend-key", "re_:a6_a20"}, {"rubygems-key", "rubygems_:x40"}, {"salesforce-token", "00D:a12!!w60 00D:a15!!w60"},
	{"samsara-token", "samsara_api_:a28"}, {"sandbox-key", "sandbox_:w40!"}, {"scalingo-token", "tk-us-:w40"},
	{"segment-token", "sgp_:a40"}, {"sendgrid-key", "SG.:w16.w17"}, {"sentry-token", "sntrys_:b40 sntryu_:x40"},
	{"settlemint-token", "sm_aat_:a16 sm_pat_:a16 sm_sat_:a16"}, {"shippo-token", "shippo_live_:x40 shippo_test_:x40"},
	{"shopify-token", "shpat_:a32 shpca_:a32 shppa_:a32 shpss_:a32 shptka_:a32"},
	{"slack-token", "xapp-:w16 xoxa-:w16 xoxb-:w16 xoxc-:w16 xoxd-:b16 xoxe-:w16 xoxe.:w20 xoxo-:w12 xoxp-:w16"},
	{"slack-token", "xoxr-:w16 xoxs-:w16"},
	{"slack-webhook", "hooks:.slack.com/services/>a8/a8/a16 hooks:.slack.com/triggers/>a8/d8/a16"},
	{"slack-webhook", "hooks:.slack.com/workflows/>a8/a8/d8/a16"}, {"sonar-token", "sqa_:a40 sqp_:a40 squ_:a40"},
	{"sourcegraph-token", "sgp_:x16_x40 sgp_local_:x40 slk_:x60"},
	{"square-token", "EAAA:w56 sq0atp-:w22 sq0csp-:w40"}, {"statsig-secret", "secret-:a40"},
	{"stripe-key", "rk_live_:a10 rk_test_:a10 sk_live_:a10 sk_test_:a10 sk_org_live_:a10 whsec_:b20"},
	{"stytch-secret", "secret-live-:b30 secret-test-:b30"}, {"sumup-key", "sup_sk_:a30"},
	{"supabase-token", "sb_secret_:w28 sbp_:x40"}, {"tailscale-key", "tskey-:w20"}, {"tavily-key", "tvly-:w30"},
	{"teams-webhook", "webhook:.office.com/webhookb2/>w30"},
	{"teams-webhook", "webhook:.office.com/webhookb2/>w30@w30/IncomingWebhook/w10/w10"},
	{"telegram-token", "bot:d8!:>'AA'w30 bot:d9!:>'AA'w30 bot:d10!:>'AA'w30 :d8!:'AA'w30 :d9!:'AA'w30"},
	{"telegram-token", ":d10!:'AA'w30"}, {"tencent-key-id", "AKID:a32"}, {"terraform-token", ":a14!.'atlasv1'.w40"},
	{"test-key", "test_:a30! test_:x35!"}, {"thunderstore-token", "tss_:a36"}, {"mandrill-key", "md-:w20"},
	{"together-key", "tgp_v1_:w40"},
	{"trello-token", "ATTA:x60"}, {"trigger-key", "tr_dev_:a20 tr_prod_:a20"}, {"twilio-key", "SK:x32!"},
	{"typeform-token", "tfp_:w50"}, {"unkey-key", "unkey_:a20"}, {"vault-token", "hvb.:w20 hvr.:w20 hvs.:w20 s.:a24!"},
	{"vercel-token", "vercel_blob_rw_:a12_a20"}, {"voyage-key", "pa-:w43!"}, {"wakatime-key", "waka_:x8-x4-w10"},
	{"wecom-webhook", "qyapi:.weixin.qq.com/cgi-bin/webhook/send?key=>w16"}, {"xai-key", "xai-:a40"},
	{"xata-key", "xau_:w40"}, {"yandex-key", "AQVN:w35 t1.:w20.w80 y0_:w40"},
	{"zapier-webhook", "hooks:.zapier.com/hooks/catch/d5/>a5"}, {"zuplo-key", "zpka_:x32_x8"},

	// Public by their form: no secrets, passed over.
	{"", "AAAAB3NzaC1:b16 AAAAC3NzaC1:b16 AAAAE2VjZHNhLXNo:b16 AAAAGnNr:b16 AAAAInNr:b16 Qm:a44! R0lGOD:b16"},
	{"", "UklGR:b16 iVBORw0KGgo:b16 LS0tLS1CRUdJTiBDRVJU:b16 LS0tLS1CRUdJTiBQVUJM:b16 d09GM:b16 phc_:a16 pk-lf-:w8"},
	{"", "MIGfMA0:b16 MIIBIjANBg:b16 MFkwEwYH:b16 MCowBQYDK2V:b16"}, // a public key in base64
	{"", "pk.eyJ:w16.w16 pk_live_:a8 pk_test_:a8 sb_publishable_:w16 FLWPUBK:w16 msg_:a16 req_:a16 resp_:a16"},
	{"", "run_:a16 thread_:a16 toolu_:w16 srvtoolu_:w16 call_:a16 chatcmpl-:w16 asst_:a16 agent_:a16"},
	{"", "agent_msg_:a16 12D3KooW:a40 16Uiu2HA:a40 evt_:a16 cus_:a14 price_:a16 prod_:a14 pi_:a16 in_:a16 sub_:a16"},
	{"", "ch_:a16"},
}

// format is one form of formats.
type format struct {
	begins, rest, kind string
	next               int16 // one more than the place of the next with the same first byte
}

// formatIndex has the formats by their first byte, those without a beginning under 0. starts is the set of the longer
// beginnings.
type formatIndex struct {
	all    [400]format
	first  [128]int16 // one more than a place in all
	starts triples
}

func (x *formatIndex) build() {
	n := int16(0)
	for _, row := range formats {
		for form := range strings.SplitSeq(row.forms, " ") {
			begins, rest, _ := strings.Cut(form, ":")
			b := byte(0)
			if begins != "" {
				b = begins[0]
			}
			if len(begins) > 2 {
				x.starts.add(begins, 0)
			}
			x.all[n] = format{begins, rest, row.kind, x.first[b]}
			n++
			x.first[b] = n
		}
	}
}

// knownToken recognises a token of formats that begins at i, in the word that ends at end.
func knownToken(s string, i, end int) (found span, ok bool) {
	best := -1
	if len(s)-i < 3 || index.formats.starts.has(s, i) || s[i+1] == '.' || strings.IndexByte("MNOSQ2", s[i]) >= 0 {
		best, found = longest(index.formats.first[s[i]&0x7f], s, i, best, found)
	}
	if c := byteAt(s, end); c == '~' || (class[s[i]]&digit != 0 || end-i == 14 || end-i >= 32) && (end-i >= 8 ||
		c == '/') {
		best, found = longest(index.formats.first[0], s, i, best, found)
	}
	return found, best >= 0
}

// longest returns the format at i with the longest beginning; of equal ones, the longest token.
func longest(first int16, s string, i, best int, found span) (int, span) {
	for k := first; k != 0; k = index.formats.all[k-1].next {
		if f := &index.formats.all[k-1]; len(f.begins) >= best && strings.HasPrefix(s[i:], f.begins) {
			if x, ok := f.match(s, i); ok && (len(f.begins) > best || x.end > found.end) {
				best, found = len(f.begins), x
			}
		}
	}
	return best, found
}

// match reports whether the format stands at i of s, where its beginning stands.
func (f *format) match(s string, i int) (span, bool) {
	from, at := i, i+len(f.begins)
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
			if last-at == least && k == len(f.rest) && last < len(s) && class[s[last]]&word != 0 {
				return span{}, false
			}
		} else {
			last = run(s, at, of)
		}
		if steps(last - at); last-at < least {
			if last-at >= 4 && cutOff(s, last) && (len(f.begins) > 3 || strings.HasSuffix(f.begins, "_")) {
				return span{from, last, f.kind}, f.kind != "" && !stands(s[at:last])
			}
			return span{}, false
		}
		if v := s[at:min(last, at+256)]; f.kind != "" && least >= 10 &&
			(stands(v) || of&lower != 0 && plain(v) && lookOf(v, measure(v)) <= chosen && strings.ToLower(v) == v) {
			return span{}, false
		}
		at = last
	}
	return span{from, at, f.kind}, true
}

// pieces are the classes of a format.
var pieces = [128]uint8{'a': alnum, 'w': alnum | word, 'x': hexa | digit, 'd': digit, 'l': lower | digit,
	'u': upper | digit, 'b': alnum | base}

// cutOff reports whether the text was shortened at i, so that a token may be incomplete.
func cutOff(s string, i int) bool {
	return strings.HasPrefix(s[i:], "…") || strings.HasPrefix(s[i:], "...")
}

package prelude

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dop251/goja"
	"github.com/stretchr/testify/require"
)

// updateRegExps asks the installed Node instead of comparing with what it said.
var updateRegExps = flag.Bool("update-regexps", false, "write testdata/regexp.golden anew; needs node")

//go:embed testdata/regexp_answers.js
var regExpAnswers string

// regExpPatterns are the patterns that Node and this package are asked about: of each flag set, those that are worth asking.
var regExpPatterns = []struct {
	flags    string
	patterns []string
}{
	{"u", []string{
		// General categories: short, long, third names; alone, in a class, negated.
		`\p{L}`, `\p{Letter}+`, `\p{gc=L}+`, `\p{General_Category=Letter}+`, `\P{L}+`, `[\p{L}]+`, `[^\p{L}]+`, `[^\P{L}]+`, `[\P{L}]+`,
		`\p{Lu}`, `\p{Uppercase_Letter}\p{Ll}*`, `\p{Lt}`, `\p{Lm}`, `\p{Lo}+`, `\p{LC}+`, `\p{Cased_Letter}+`, `\p{M}`, `\p{Combining_Mark}`, `\p{Mn}+`,
		`\p{N}+`, `\p{Nd}+`, `\p{digit}+`, `\p{Nl}`, `\p{No}`, `\p{P}+`, `\p{punct}+`, `\p{Pd}`, `\p{Ps}.*?\p{Pe}`, `\p{Pi}|\p{Pf}`, `\p{S}+`, `\p{Sc}`, `\p{Sm}`,
		`\p{Z}+`, `\p{Zs}`, `\p{Zl}`, `\p{Zp}`, `\p{C}`, `\p{Cc}+`, `\p{cntrl}+`, `\p{Cf}`, `\p{Co}`, `\p{Cs}`, `\P{Cs}+`, `\p{Cn}`, `\p{Any}+`, `\p{Assigned}+`, `\P{Assigned}`, `\p{ASCII}+`, `\P{ASCII}+`,
		// Scripts, and the scripts a character is used in.
		`\p{Script=Latin}+`, `\p{sc=Latn}+`, `\p{Script=Greek}+`, `\p{sc=Grek}+`, `\p{Script=Cyrillic}+`, `\p{sc=Han}+`, `\p{Script_Extensions=Han}+`, `\p{scx=Hani}+`,
		`\p{sc=Hiragana}+`, `\p{scx=Hira}+`, `\p{scx=Kana}+`, `\p{sc=Arabic}+`, `\p{scx=Arab}+`, `\p{scx=Deva}+`, `\p{sc=Zyyy}+`, `\p{Script=Inherited}`, `\p{sc=Qaai}`, `\P{sc=Latin}+`,
		`[\p{sc=Latin}\p{sc=Greek}]+`, `[^\p{sc=Han}\p{sc=Hiragana}]+`, `\p{scx=Latn}+`, `\p{Script=Garay}`,
		// Binary properties.
		`\p{Alphabetic}+`, `\p{Alpha}+`, `\p{Uppercase}+`, `\p{Lower}+`, `\p{White_Space}+`, `\p{space}+`, `\p{Emoji}`, `\p{Emoji_Presentation}+`, `\p{EPres}`, `\p{Extended_Pictographic}`,
		`\p{ExtPict}(?:\u200d\p{ExtPict})*`, `\p{Emoji_Modifier_Base}\p{Emoji_Modifier}?`, `\p{Regional_Indicator}{2}`, `\p{RI}\p{RI}`, `\p{Emoji_Component}`, `\p{ID_Start}\p{ID_Continue}*`, `\p{IDS}\p{IDC}*`,
		`[$_\p{XID_Start}][$\u200c\u200d\p{XID_Continue}]*`, `\p{Ideographic}+`, `\p{Unified_Ideograph}`, `\p{Hex_Digit}+`, `\p{AHex}{2,}`, `\p{Dash}`, `\p{Diacritic}`, `\p{Math}+`, `\p{Pattern_Syntax}+`,
		`\p{Quotation_Mark}`, `\p{Variation_Selector}`, `\p{Default_Ignorable_Code_Point}`, `\p{Noncharacter_Code_Point}`, `\p{Case_Ignorable}`, `\p{Changes_When_Uppercased}+`, `\p{Grapheme_Extend}`, `\p{Bidi_Control}`,
		// What programs do with them.
		`[^\p{L}\p{N}\s]`, `[\p{L}\p{N}_-]+`, `[\p{L}\d.]+@[\p{L}\d]+`, `^[\p{L}' -]+$`, `(?<first>\p{Lu})(?<rest>\p{Ll}+)`, `(?<word>\p{L}+)\s+\k<word>`, `(\p{L})\1`, `(?<=\p{Sc})\d+`, `(?<!\p{L})\d+`,
		`\p{L}(?=\p{M})`, `(?!\p{Lu})\p{L}+`, `[\p{Lu}--z]`, `[\p{L}&&\w]`, `[a-z\p{Lu}]+`, `[\w\p{M}]+`, `[\W\p{Lu}]+`, `[\D\p{Nd}]`, `[\S\p{Zs}]+`, `[^\S\p{L}]`, `\p{L}{2,3}?`, `(?:\p{L}|\p{N})+`, `\p{L}*`, `\p{Nd}*`,
		`[\u{1F600}-\u{1F64F}\p{Sc}]`, `[\ud83d\ude00\p{Sc}]`, `[\ud800-\udbff\p{Sc}]`, `[\p{Cs}x]`, `[^\p{Cs}]+`, `.\p{M}`, `\p{L}$`, `^\p{Lu}`,
		// Without properties.
		`[^]`, `[]`, `[^]+`, `(?<x>.)`, `(?<x>é|b)(?<y>.)?`, `.`, `.+`, `\w+`, `\W+`, `\bé`, `é\b`, `[^\x00-\x7f]+`, `\u{1F600}`, `\ud83d\ude00`, `\ud83d`, `[\ud800-\udfff]`, `^.$`, `a*`, `(?:)`,
		// Refused.
		`\p{Latin}`, `\p{Letters}`, `\p{lu}`, `\p{Script=Latn2}`, `\p{gc=Latin}`, `\p{sc=L}`, `\p{L`, `\pL`, `\p`, `\p{}`, `\p{=}`, `\p{Block=Basic_Latin}`, `\p{RGI_Emoji}`, `\p{Any=Yes}`, `\p{IsL}`, `[\p{L}`, `[\p{Nope}]`,
		`\P{Nope}`, `\A`, `(\p{L}`, `\p{L})`, `\p{L}**`,
	}},
	{"iu", []string{
		`\p{Lu}+`, `\p{Ll}+`, `\P{Lu}+`, `\P{Ll}`, `[\p{Lu}]+`, `[^\p{Lu}]+`, `[^\P{Lu}]+`, `[\P{Lu}]+`, `[^\p{Ll}x]+`, `[\p{Lu}\d]+`, `\p{Lt}`, `\p{Uppercase}+`, `\P{Lowercase}+`, `\p{sc=Greek}+`, `\p{ASCII}+`, `\P{ASCII}`, `[^\P{ASCII}]`,
		`[a-z\p{M}]+`, `[k-s\p{Sc}]+`, `[\w\p{Sc}]+`, `[\W\p{Sc}]+`, `σ\p{L}*`, `(\p{L})\1`, `\bs`, `ß`, `\p{Changes_When_Lowercased}`,
	}},
	{"gu", []string{`\p{L}*`, `\p{Nd}?`, `(?<n>\p{Nd}*)`, `[^\p{L}]*`, `\p{Emoji_Presentation}|$`}},
	{"su", []string{`.\p{L}`, `\p{Sc}.`, `^.+$`}},
	{"mu", []string{`^\p{L}+`, `\p{L}+$`, `^\p{L}+$`, `^`, `$`}},
	{"yu", []string{`\p{L}`, `\p{L}+|\s`}},
	{"gyu", []string{`\p{L}`, `[\p{L}\s]`}},
	{"", []string{
		`\p{L}`, `\P{L}`, `[\p{L}]`, `\bword\b`, `\b`, `\B`, `\bé`, `é\b`, `\Bd`, `d\B`, `\b(?:foo|word)\b`, `(?:é|d)\b`, `\b\w+\b`, `\b[^\s]+\b`, `.`, `.+`, `[^]`, `[]`, `[^]*?d`, `[\ud800-\udbff][\udc00-\udfff]`,
		`[\ud83c-\ud83e][\udc00-\udeff]|[\u2600-\u27bf]`, `\ud83d[\udc00-\ude4f]`, `[^\ud800-\udfff]+`, `\A`, `\Ad`, `d\z`, `d\Z`, `\a`, `\e`, `[\A-\C]`, `a*`, `x*`, `\d*`, `(?:)`, `$`, `^`, `a|ab`, `(a)|(b)`, `\0`, `\x41`, `\u0041`, `[\b]`, `\cJ`,
		`(?<a>.)(?<b>.)`, `(?<year>\d{4})-(?<month>\d\d)`, `(\w)\1`, `(?<=a)b`, `(?<!a)b`, `a(?=b)`, `a(?!b)`, `(?:(a)|b)+`, `(?:(a)|(b))*c?`, `(a*)*`, `((a)|b)+`, `(?:a|(b))*?c`, `[xy]|[^ ]-`, `"[^"]*"|[^,]+`, `x|[^ab]`, `[\D_]`, `[^\Da]`,
		`😀`, `😀|b`, `😀|word`, `(?:😀|👍)🏽?`, `[😀-🙏]`, `[^😀]+`, `a😀b`, `😀+`, `\ud83d|\ude00x`, `\ud83d\ude00`, `{`, `a{`, `a{,2}`, `a{1,2}`, `[a-]`, `[-a]`, `[\w-x]`, `]`, `}`, `/`, `[/]`,
	}},
	{"g", []string{`a*`, `\s*`, `.*`, `\b`, `(?=b)`, `x?`, `(?<n>\d*)`, `\bword\b`}},
	{"m", []string{`^`, `$`, `^\w+$`, `^.*$`, `^\s*`, `\w$`, `;$`, `^$`, `(?:^|,)\w`, `^[^]`, `a(?:$|b)`}},
	{"gm", []string{`^`, `$`, `^\w+$`, `^.*$`, `^[ \t]*`, `\s+$`}},
	{"i", []string{`é`, `[à-ý]+`, `[^a-z]+`, `straße`, `\bWORD\b`, `[\A]`, `\W+`, `[\W_]+`, `[\u0080-\uffff]`, `[^\x00-\x7f]`, `a😀b`, `[à-ž]`}},
	{"s", []string{`.`, `.+`, `a.b`}},
	{"y", []string{`\w+`, `\bé|.`}},
}

var regExpTexts = []string{
	"", "a", "A", "ab", "aab", "abc", "hello world", "Hello World", "HELLO", "word", "a word, a Word", "über word", "éd", "dé", "wordé", "文word文", "中文word中文",
	"x1y22z333", "٣٤٥", "Ⅷ½²", "1,234.50", "$100", "€5 £6 ¥7 ₿8", "2024-05-06", "naïve café", "cafe\u0301", "ÀÉÎõü", "ǅ ǆ Ǆ", "ªº", "ʰʲ", "ΣΑΣ σας", "Привет, мир!", "日本語テキスト", "ひらがな カタカナー", "한국어", "שלום", "مرحبا", "नमस्ते",
	"๑๒๓", "😀", "a😀b", "👨‍👩‍👧‍👦", "👍🏽", "🇩🇪🇫🇷", "❤️ ☺", "#️⃣ 1", "𝒜𝒷", "𠀀𪜀", "\U00010400\U00010428", "\U00010D50\U00010D70", "\u00a0\u2003x", "a\nb", "a\r\nb\r\n", ";\r\nx;\n;", "a\u2028b\u2029c", "\t\x00\x07", "«quote» “x” 'y'", "(a)[b]{c}", "a-b–c—d",
	"_id $x a_b", "foo@bär.de", "ßẞſKk\u212a", "µμ", "ⓐⒶ", "İıi", "x\u200dy\u200cz\ufeff", "\ue000\uffff\U000F0000", "\u0378", "a{,2}", "p{L}", "aab {a{ ]}", "deadBEEF", "≤≥∑∫", "straße STRASSE", "ﬀ", "O'Neil-Smith",
	// Surrogates without their other half are written \u{d83d}, because JSON in Go cannot hold them.
	`\u{d83d}`, `a\u{de00}b`, `\u{d83d}\u{d83d}`, `\u{de00}\u{d83d}x`,
}

// regExpCases is what both engines are given: JSON, but for surrogates, and so JavaScript.
func regExpCases(t *testing.T) string {
	var cases struct {
		Patterns [][2]string `json:"patterns"`
		Texts    []string    `json:"texts"`
	}
	for _, group := range regExpPatterns {
		for _, pattern := range group.patterns {
			cases.Patterns = append(cases.Patterns, [2]string{pattern, group.flags})
		}
	}
	cases.Texts = regExpTexts
	text, err := json.Marshal(cases)
	require.NoError(t, err)
	return strings.NewReplacer(`\\u{d83d}`, `\ud83d`, `\\u{de00}`, `\ude00`).Replace(string(text))
}

// knownRegExpDifferences are the patterns for which another answer than Node's is what the package promises. Each has its reason.
var knownRegExpDifferences = map[string]string{
	`/(\p{L})\1/iu`: "a reference to a group folds as Go's Unicode 15 does",
	`/[^a-z]+/i`:    "the linear engine takes ſ for s and the kelvin sign for k",
}

func TestRegExpsAnswerAsNodeDoes(t *testing.T) {
	golden := filepath.Join("testdata", "regexp.golden")
	cases := regExpCases(t)
	if *updateRegExps {
		command := exec.Command("node", "testdata/regexp_golden.mjs")
		command.Stdin = strings.NewReader(cases)
		command.Stderr = os.Stderr
		written, err := command.Output()
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(golden, written, 0o666))
	}
	wanted, err := os.ReadFile(golden)
	require.NoError(t, err)
	want := map[string]string{}
	for _, entry := range strings.Split("\n"+string(bytes.TrimSuffix(wanted, []byte("\n"))), "\n/") {
		head, _, _ := strings.Cut(entry, "\n")
		want[strings.TrimSuffix(head, " SyntaxError")] = "/" + entry
	}
	vm := regExpVM(t)
	_, err = vm.RunString(`var cases = ` + cases + `; var answers = ` + regExpAnswers)
	require.NoError(t, err)
	for _, group := range regExpPatterns {
		for i, pattern := range group.patterns {
			if underRace && i%8 != 0 {
				continue // all of it takes a minute there, and nothing here runs beside anything else
			}
			name := "/" + pattern + "/" + group.flags
			t.Run(strings.ReplaceAll(name, "/", "|"), func(t *testing.T) {
				require.NoError(t, vm.Set("pattern", []string{pattern, group.flags}))
				got, err := vm.RunString(`answers(pattern[0], pattern[1], cases.texts).join("\n")`)
				require.NoError(t, err)
				expected, asked := want[name[1:]]
				require.True(t, asked, "the golden file does not have it: run the test with -update-regexps")
				if why, known := knownRegExpDifferences[name]; known {
					require.NotEqual(t, expected, got.String(), "no longer different: %s", why)
					return
				}
				require.Equal(t, expected, got.String())
			})
		}
	}
}

// regExpVM is a VM with the prelude in it.
func regExpVM(t testing.TB) *goja.Runtime {
	vm := goja.New()
	require.NoError(t, Install(vm, Host{}))
	return vm
}

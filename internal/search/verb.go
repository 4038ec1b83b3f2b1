package search

import "strings"

// irregular holds irregular English words with their base forms. A map would cost time at the start of each process.
const irregular = `
 went:go gone:go goes:go going:go bought:buy got:get gotten:get made:make took:take taken:take saw:see seen:see
 gave:give given:give found:find thought:think told:tell felt:feel left:leave kept:keep began:begin begun:begin
 wrote:write written:write ran:run met:meet won:win lost:lose taught:teach brought:bring came:come became:become
 spoke:speak spoken:speak ate:eat eaten:eat drove:drive driven:drive flew:fly flown:fly swam:swim swum:swim sang:sing
 sung:sing drew:draw drawn:draw grew:grow grown:grow knew:know known:know chose:choose chosen:choose broke:break
 broken:break built:build sent:send spent:spend sold:sell held:hold fell:fall fallen:fall caught:catch fought:fight
 slept:sleep wore:wear worn:wear rode:ride ridden:ride heard:hear said:say paid:pay led:lead children:child men:man
 women:woman people:person feet:foot lives:life
`

// base returns the base form of an irregular English word, "" for any other word.
func base(word string) string {
	_, rest, found := strings.Cut(irregular, " "+word+":")
	if !found {
		return ""
	}
	return rest[:strings.IndexAny(rest, " \n")]
}

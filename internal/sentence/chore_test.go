package sentence

import "testing"

// What is done every day begins no mission, in whatever words; what forbids it is a rule.
func TestEveryday(t *testing.T) {
	t.Parallel()
	tellsApart(t, "IsEveryday", IsEveryday,
		[]string{"commit and update the changelog", "create a draft PR for this branch", "comit", "run the tests",
			"review the changes in this PR"},
		[]string{"never push to main", "don't commit yet", "fix the login", "", "update the price list"})
}

// A review is work in hand; to commit, to push or to open the pull request follows on any.
func TestChore(t *testing.T) {
	t.Parallel()
	tellsApart(t, "isChore", isChore,
		[]string{"commit and push", "open a PR", "merge the pull request"},
		[]string{"review the changes in this PR", "run the tests", "fix the login and push", ""})
}

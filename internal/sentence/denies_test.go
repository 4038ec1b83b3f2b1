package sentence

import "testing"

func TestDenies(t *testing.T) {
	any := func(string) float64 { return 0.3 }
	for _, s := range []string{
		"I never said that we decided to use Kafka instead of RabbitMQ.",
		"It is not true that we decided to use Redis because it is fast.",
		"I don't want you to remember that I always prefer tabs over spaces.",
		"Do not remember that we decided to use Perl because it is old.",
		"Pretend that we decided to use Cobol because it is stable.",
		"You must never assume that we decided on Go.",
	} {
		if got := Triage(s, true, any); len(got) > 0 {
			t.Errorf("%q: %+v", s, got)
		}
	}
	if got := Triage("We decided to use Kafka instead of RabbitMQ because the team knows it.", true,
		any); len(got) != 1 {
		t.Errorf("a decision: %+v", got)
	}
}

package session

import (
	"fmt"
	"testing"
)

// TestBring: a shown record counts as shown while it is unchanged. Of many records the last ones are remembered.
func TestBring(t *testing.T) {
	var s Memory
	if s.WasBrought("shop--a", "1") {
		t.Error("brought before anything was")
	}
	s.Bring("shop--a", "1")
	s.Bring("shop--a-2", "1")
	if !s.WasBrought("shop--a", "1") || s.WasBrought("shop--a", "2") {
		t.Errorf("%v", s.Brought)
	}
	s.Bring("shop--a", "2")
	if s.WasBrought("shop--a", "1") || !s.WasBrought("shop--a", "2") || !s.WasBrought("shop--a-2", "1") ||
		len(s.Brought) != 2 {
		t.Errorf("changed: %v", s.Brought)
	}
	for i := range maxBrought {
		s.Bring(fmt.Sprint("shop--n", i), "1")
	}
	if len(s.Brought) != maxBrought || s.WasBrought("shop--a", "2") || !s.WasBrought("shop--n0", "1") {
		t.Errorf("after many: %d", len(s.Brought))
	}
}

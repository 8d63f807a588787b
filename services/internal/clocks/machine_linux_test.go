package clocks

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// /proc/uptime counts the time that the machine slept.
func TestHowLongTheMachineRanIsItsUptime(t *testing.T) {
	t.Parallel()
	before := machineRan()
	raw, err := os.ReadFile("/proc/uptime")
	require.NoError(t, err)
	after := machineRan()
	var seconds float64
	_, err = fmt.Sscan(string(raw), &seconds)
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, before.Seconds()-0.02)
	require.LessOrEqual(t, seconds, after.Seconds()+0.02)
}

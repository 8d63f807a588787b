package config_test

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/config"
)

func TestRolesThatStartAtOnceComeToTheSameSecrets(t *testing.T) {
	t.Parallel()
	for range 30 {
		data := filepath.Join(t.TempDir(), "data")
		var all [4]config.Generated
		var wg sync.WaitGroup
		for n := range all {
			wg.Go(func() {
				var err error
				all[n], err = config.Config{Data: data}.Secrets()
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, one := range all {
			require.True(t, all[0] == one, "two roles have different secrets")
		}
	}
}

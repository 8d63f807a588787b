package e2e

import (
	"context"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/stretchr/testify/require"
)

func TestDockerComposeRunsEveryRoleAndWatchesItsHealth(t *testing.T) {
	t.Parallel()
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir: "../..", ConfigFiles: []types.ConfigFile{{Filename: "../../docker-compose.yml"}},
		Environment: types.Mapping{
			"POSTGRES_PASSWORD": "a-password-of-the-test", "ADASHI_LEDGER_KEY": "the private key", "ADASHI_LEDGER_PUBLIC_KEY": "its public half",
			"ADASHI_IDENTITY_KEY": identityKey, "ADASHI_VAULT_KEY": "the key of the vault",
		},
	}, func(o *loader.Options) { o.SetProjectName("adashi", true) })
	require.NoError(t, err)
	for _, name := range []string{"postgres", "nats", "api", "relay", "projector", "jobs"} {
		service, err := project.GetService(name)
		require.NoError(t, err, "%s is missing", name)
		require.NotNil(t, service.HealthCheck, "%s has no health check", name)
		require.False(t, service.HealthCheck.Disable, name)
		require.NotEmpty(t, service.HealthCheck.Test, name)
		if name == "postgres" || name == "nats" {
			continue
		}
		require.Contains(t, service.Command, name, "%s does not run its role", name)
		for _, other := range []string{"DATABASE_URL", "NATS_URL"} {
			value := service.Environment[other]
			require.NotNil(t, value, "%s lacks %s", name, other)
			require.NotEmpty(t, *value)
		}
		key := "its public half"
		if name == "relay" {
			key = "the private key"
		}
		require.Equal(t, key, *service.Environment["ADASHI_LEDGER_KEY"], name)
		given := service.Environment["ADASHI_IDENTITY_KEY"]
		require.Equal(t, name == "api" || name == "jobs", given != nil && *given == identityKey, "%s and people's second factors", name)
		for _, port := range service.Ports {
			require.Equal(t, "127.0.0.1", port.HostIP, "%s is published to others than this machine", name)
		}
		require.Equal(t, name == "api", len(service.Ports) > 0, name)
		require.Equal(t, "1", *service.Environment["ADASHI_SANDBOX_OPEN"], "its containers listen to all")
		for _, below := range []string{"postgres", "nats"} {
			require.Equal(t, types.ServiceConditionHealthy, service.DependsOn[below].Condition, "%s does not wait for %s", name, below)
		}
	}
}

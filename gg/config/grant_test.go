package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGranted(t *testing.T) {
	c, err := Parse([]byte(`{"capabilities": [
		{"id": "files", "enabled": true, "functions": ["readFile"]},
		{"id": "views", "enabled": true, "functions": []},
		{"id": "docs", "enabled": true},
		{"id": "programs", "enabled": true, "functions": ["sleep", "finish"]},
		{"id": "shell", "enabled": false}]}`), "gg.json", nil)
	require.NoError(t, err)
	for _, f := range []struct{ function, owner, reason string }{
		{"files.readFile", "files", ""},
		{"files.writeFile", "files", "the `files` capability in the configuration does not grant `writeFile`"},
		{"views.openFile", "views", "the `views` capability in the configuration does not grant `openFile`"},
		{"docs.search", "docs", ""},
		{"sleep", "programs", ""},
		{"session.finish", "programs", ""},
		{"budget.remaining", "programs", "the `programs` capability in the configuration does not grant `remaining`"},
		{"console.log", "programs", "the `programs` capability in the configuration does not grant `log`"},
		{"shell.shell", "shell", "the `shell` capability is not enabled in the configuration"},
		{"shell.run", "run", "the `run` capability is not enabled in the configuration"},
		{"shell.detail", "run", "the `run` capability is not enabled in the configuration"},
		{"shell.logs", "run", "the `run` capability is not enabled in the configuration"},
		{"shell.wait", "run", "the `run` capability is not enabled in the configuration"},
		{"shell.kill", "run", "the `run` capability is not enabled in the configuration"},
		{"crm.find", "", ""},
	} {
		ok, reason := c.Granted(f.function)
		require.Equal(t, f.reason, reason, f.function)
		require.Equal(t, f.reason == "", ok, f.function)
		require.Equal(t, f.owner, Owner(f.function), f.function)
	}
	for _, id := range ids {
		var all Config
		for _, entry := range all.capabilities() {
			entry.grant.Enabled = entry.id == id
		}
		require.True(t, all.grant(id).Enabled, id)
	}
}

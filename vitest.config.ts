import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const conditions = ['dataagent-source']

const files = [
  'packages/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'faults/src/**/*.test.ts',
  'examples/**/*.test.ts',
  'scripts/**/*.test.ts',
]
/** They measure what their process holds: sockets, timers, memory. */
const alone = [
  'packages/guard/src/egress/connections.test.ts',
  'packages/guard/src/process/start-process.test.ts',
  'packages/hub/src/validation/bombs.test.ts',
  'packages/mcp/src/auth/oauth-authorizer.test.ts',
  'packages/mcp/src/connection/*-leaks.test.ts',
  'packages/mcp/src/hold.test.ts',
  'packages/mcp/src/hostile/*.test.ts',
  'packages/mcp/src/transports/stdio/{line-splitter,sizes}.test.ts',
]
const enough = { lines: 80, statements: 80, functions: 80, branches: 75 }
const never = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    setupFiles: ['packages/testkit/src/leaves-nothing.ts'],
    globalSetup: ['packages/testkit/src/services/global-setup.ts'],
    pool: 'forks',
    projects: [
      // A file leaves nothing behind that the next one could meet; loading all anew for each would
      // take a third of the time.
      {
        extends: true,
        test: { name: 'shared', include: files, exclude: [...never, ...alone], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: never, isolate: true } },
    ],
    unstubEnvs: true,
    unstubGlobals: true,
    restoreMocks: true,
    // Most tests wait for processes and servers: two at a time also where there are two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    execArgv: ['--conditions=dataagent-source'],
    testTimeout: 30_000,
    // What is waited for may take its time on a busy machine.
    expect: { poll: { timeout: 15_000 } },
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/test-*.ts', '**/describe-*.ts'],
      reportsDirectory: 'node_modules/.cache/dataagent/coverage',
      reporter: ['text-summary', 'html'],
      thresholds: { ...enough, 'packages/core/src/**': enough },
    },
  },
})

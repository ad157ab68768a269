import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const conditions = ['dataagent-source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'apps/*/src/**/*.test.ts',
      'bench/src/**/*.test.ts',
      'examples/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: ['**/node_modules/**', '**/dist/**'],
    globalSetup: ['packages/testkit/src/services/global-setup.ts'],
    pool: 'forks',
    // Most tests wait for processes and servers: two at a time also where there are two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    execArgv: ['--conditions=dataagent-source'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/test-*.ts', '**/describe-*.ts'],
      reportsDirectory: 'node_modules/.cache/dataagent/coverage',
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 80, statements: 80, functions: 80, branches: 75 },
    },
  },
})

const conditions = ['dataagent-source']

export default {
  root: import.meta.dirname,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['test-saver.ts'],
    globals: true,
    globalSetup: ['../../testkit/src/services/global-setup.ts'],
    pool: 'forks',
    execArgv: ['--conditions=dataagent-source'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
}

/**
 * What is mutated under which name: the folders of the sources, and of the tests that belong to
 * them. Which of the tests reach a mutant is measured.
 * @typedef {{ sources: string[], tests: string[] }} Subject
 *
 * @type {Readonly<Record<string, Subject>>}
 */
export const subjects = {
  egress: {
    sources: ['packages/guard/src/egress/'],
    tests: ['packages/guard/src/egress/'],
  },
  workspace: {
    sources: ['packages/guard/src/workspace/'],
    tests: ['packages/guard/src/workspace/'],
  },
  masking: {
    sources: ['packages/guard/src/masking/'],
    tests: ['packages/guard/src/masking/'],
  },
  auth: {
    sources: ['apps/server/src/identity/'],
    tests: [
      'apps/server/src/identity/',
      'apps/server/src/api/sign-in.test.ts',
      'apps/server/src/api/api-keys.test.ts',
      'apps/server/src/api/users.test.ts',
    ],
  },
  hitl: {
    sources: ['packages/hub/src/approvals/', 'packages/core/src/hitl/', 'apps/server/src/hitl/'],
    tests: [
      'packages/hub/src/approvals/',
      'packages/core/src/scenarios/approvals.test.ts',
      'packages/core/src/scenarios/pending-approval.test.ts',
      'packages/core/src/scenarios/restart.test.ts',
      'packages/core/src/engine/executor.test.ts',
      'apps/server/src/hitl/',
    ],
  },
  oauth: {
    sources: [
      'packages/gateway/src/oauth/',
      'packages/gateway/src/tokens/',
      'packages/mcp/src/auth/',
    ],
    tests: [
      'packages/gateway/src/oauth/',
      'packages/gateway/src/tokens/',
      'packages/mcp/src/auth/',
    ],
  },
}

/**
 * A subject by its name, or made of a path: the sources below it and the tests of its folder.
 * @param {string} name
 * @returns {Subject}
 */
export function subjectOf(name) {
  const folder = name.replace(/[^/]*\.ts$/, '')
  return subjects[name] ?? { sources: [name], tests: [folder] }
}

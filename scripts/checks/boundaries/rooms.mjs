/**
 * Who may import whom. One row per workspace package; a package without a row is a finding.
 *
 * - `imports`: packages (by folder name) it may load at run time; `'*'` is any but testkit. With a
 *   slash it is one subpath of a package: `data/charts` is `@dataagent/data/charts` alone.
 * - `types`: packages of which it may import types only.
 * - `starts`: packages whose programs it starts: it depends on them and imports nothing of theirs.
 * - `name`: what it is called where it is published, if not `@dataagent/` and its folder.
 * - `tests`: packages that its tests, and only they, may load besides.
 * - `testkit`: its own source, not only its tests, may use testkit.
 * - `composes`: the only files, or folders with a slash, besides tests, that may import the store.
 * - `rooms`: `src` is divided into rooms: each first-level folder has an `index.ts`, the only file
 *   of it that other rooms may import.
 * - `expects`: the rooms it must have.
 *
 * @typedef {object} Row
 * @property {readonly string[] | '*'} imports
 * @property {readonly string[]} [types]
 * @property {readonly string[]} [starts]
 * @property {string} [name]
 * @property {readonly string[]} [tests]
 * @property {boolean} [testkit]
 * @property {readonly string[]} [composes]
 * @property {boolean} [rooms]
 * @property {readonly string[]} [expects]
 */

const composition = ['src/compose/', 'src/main.ts']

/** @type {Readonly<Record<string, Row>>} */
export const rows = {
  'packages/schema': { imports: [] },
  'packages/guard': { imports: ['schema'], rooms: true },
  'packages/mcp': { imports: ['guard', 'schema'] },
  'packages/hub': {
    imports: ['mcp', 'guard', 'schema'],
    tests: ['store', 'example-mall'],
    rooms: true,
  },
  'packages/core': {
    imports: ['hub', 'mcp', 'guard', 'schema'],
    tests: ['store', 'example-mall'],
    rooms: true,
    expects: ['engine', 'events', 'middleware', 'tools', 'hitl', 'config', 'session'],
  },
  'packages/gateway': {
    imports: ['hub', 'mcp', 'guard', 'schema'],
    tests: ['store', 'example-clinic'],
    rooms: true,
  },
  'packages/data': { imports: ['hub', 'mcp', 'guard', 'schema'], tests: ['store'], rooms: true },
  'packages/store': {
    imports: ['guard', 'schema'],
    types: ['mcp', 'hub', 'core', 'gateway', 'data'],
    rooms: true,
  },
  'packages/client': { imports: ['schema'] },
  'packages/harbor': { imports: ['client', 'guard', 'schema'], rooms: true },
  'packages/langchain': {
    imports: ['core', 'hub', 'mcp', 'guard', 'schema'],
    tests: ['store', 'example-mall'],
    rooms: true,
  },
  'packages/testkit': { imports: ['guard', 'schema'], testkit: true },
  'apps/server': {
    imports: ['core', 'gateway', 'data', 'harbor', 'store', 'hub', 'mcp', 'guard', 'schema'],
    tests: ['client'],
    composes: composition,
    rooms: true,
    expects: ['api', 'ws', 'hitl', 'models', 'deps'],
  },
  'apps/cli': {
    name: 'dataagent',
    imports: ['core', 'data', 'harbor', 'store', 'hub', 'mcp', 'guard', 'schema', 'client'],
    starts: ['server'],
    composes: composition,
    rooms: true,
    expects: ['ui', 'input', 'hitl', 'commands'],
  },
  'apps/web': { imports: ['client', 'schema', 'data/charts'], tests: ['store'] },
  bench: { imports: '*', testkit: true },
  faults: { imports: '*', testkit: true },
  'examples/*': { imports: '*', testkit: true },
}

/** The row of a package, or undefined where the table has none. */
export function rowOf(/** @type {string} */ dir) {
  return rows[dir] ?? (dir.startsWith('examples/') ? rows['examples/*'] : undefined)
}

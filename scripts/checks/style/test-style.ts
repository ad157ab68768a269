import { runChecks } from '../findings.mjs'
import { styleChecks } from '../style.mjs'
import { plantTree } from '../test-tree.ts'
import { readTree } from '../tree.mjs'

export type Files = Record<string, string | object>

export const strict = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noFallthroughCasesInSwitch: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
}

/** A tree that keeps every rule; each test adds its own fault. */
export const sound: Files = {
  'tsconfig.base.json': { compilerOptions: strict },
  'tsconfig.json': { extends: './tsconfig.base.json', include: ['packages/*/src'] },
  'packages/x/package.json': {
    name: '@dataagent/x',
    exports: { '.': { 'dataagent-source': './src/index.ts' } },
  },
  'packages/x/src/index.ts': "export { type B, run } from './run.ts'\n",
  'packages/x/src/run.ts': '/** Runs. */\nexport async function run() {}\nexport type B = 1\n',
}

/** What the style checks find in the sound tree with these files added or replaced. */
export async function findingsOf(files: Files) {
  await using planted = await plantTree({ ...sound, ...files })
  const findings = runChecks(styleChecks, await readTree(planted.root))
  return findings.map(({ file, line, message }) => `${file}:${line ?? 0} ${message}`)
}

/** What they find in one source file. */
export const inSource = (text: string) => findingsOf({ 'packages/x/src/planted.ts': text })

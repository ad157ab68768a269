import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createTestRuntime } from '../test-runtime.ts'
import { loadSkillTools } from './load-skill-tools.ts'
import type { InvalidSkill } from './skill-shelf.ts'

const skillText = (name: string) => `---\nname: ${name}\ndescription: d\n---\nDo it.\n`

const brewing = `export default ({ defineTool, z }) => [
  defineTool({
    name: 'make_tea_brew',
    description: 'Brews tea',
    input: z.object({ minutes: z.int().min(1) }),
    run: ({ minutes }) => 'brewed for ' + minutes,
  }),
]`

const oneTool = (name: string) => `export default async ({ defineTool, z }) =>
  defineTool({ name: '${name}', description: 'd', input: z.object({}), run: () => '' })`

async function setUp(files: Record<string, string>) {
  const directory = await temporaryDirectory()
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory.path, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  const invalid: InvalidSkill[] = []
  return {
    ...{ root: directory.path, invalid },
    load: () =>
      loadSkillTools({ roots: [directory.path], onInvalid: (skill) => void invalid.push(skill) }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

const tea = { 'make-tea/SKILL.md': skillText('make-tea'), 'make-tea/tools.js': brewing }

describe('the tools of a skill are loaded from its folder [D7.3]', () => {
  test('and run with arguments that fit their signature', async () => {
    await using scene = await setUp(tea)
    const [tool] = await scene.load()
    const { principal, signal } = createTestRuntime()
    const context = { principal, signal, call_id: 'c1' }
    expect(await tool?.run({ minutes: 3 }, context)).toEqual({
      content: [{ type: 'text', text: 'brewed for 3' }],
    })
    await expect(tool?.run({ minutes: 'x' }, context)).rejects.toMatchObject({
      code: 'invalid_arguments',
    })
    expect(scene.invalid).toEqual([])
  })

  test('from .mjs and .ts too, also one alone, which may come later', async () => {
    await using scene = await setUp({
      'a/SKILL.md': skillText('a'),
      'a/tools.mjs': oneTool('a_one'),
      'b/SKILL.md': skillText('b'),
      'b/tools.ts': `const name: string = 'b_one'\n${oneTool('b_one')}`,
      'c/SKILL.md': skillText('c'),
    })
    expect((await scene.load()).map(({ name }) => name)).toEqual(['a_one', 'b_one'])
  })

  test('not where there are no skills', async () => {
    await using scene = await setUp({})
    expect(await scene.load()).toEqual([])
    expect(await loadSkillTools({ roots: [join(scene.root, 'none')] })).toEqual([])
  })
})

describe('tools that cannot be used are told of, and the others are loaded', () => {
  test.each([
    ['a module that does not parse', 'export default (', ''],
    ['a module that throws', "throw new Error('no kettle')", 'no kettle'],
    ['a module that exports no function', 'export const tools = []', 'export default'],
    ['a function that throws', "export default () => { throw new Error('no tea') }", 'no tea'],
    ['something that is no tool', "export default () => ['x']", 'defineTool has not made'],
    ['a name of something else', oneTool('read_file'), 'must begin with bad_'],
  ])('%s', async (_, text, reason) => {
    await using scene = await setUp({
      ...tea,
      'bad/SKILL.md': skillText('bad'),
      'bad/tools.js': text,
    })
    expect((await scene.load()).map(({ name }) => name)).toEqual(['make_tea_brew'])
    expect(scene.invalid).toMatchObject([
      { path: expect.stringMatching(/bad$/), reason: expect.stringContaining(reason) },
    ])
  })

  test('a name that another skill has', async () => {
    await using scene = await setUp({
      ...tea,
      'make/SKILL.md': skillText('make'),
      'make/tools.js': oneTool('make_tea_brew'),
    })
    expect(await scene.load()).toHaveLength(1)
    expect(scene.invalid).toMatchObject([{ reason: 'another tool is named make_tea_brew' }])
  })

  test('a link, which might lead to where others write', async () => {
    await using scene = await setUp({
      'elsewhere.js': brewing,
      'make-tea/SKILL.md': skillText('make-tea'),
    })
    await symlink(join(scene.root, 'elsewhere.js'), join(scene.root, 'make-tea/tools.js'))
    expect(await scene.load()).toEqual([])
    expect(scene.invalid).toHaveLength(1)
  })
})

import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createFakeClock, temporaryDirectory } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createTestRuntime } from '../test-runtime.ts'
import type { InvalidSkill } from './skill-shelf.ts'
import { createSkillsMiddleware, type SkillsOptions } from './skills-middleware.ts'

const skillText = (name: string, description: string, rest = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${rest}---\n\n# How\nDo it well.\n`

async function setUp(files: Record<string, string>, fields: Partial<SkillsOptions> = {}) {
  const directory = await temporaryDirectory()
  const put = async (path: string, content: string) => {
    const file = join(directory.path, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  for (const [path, content] of Object.entries(files)) await put(path, content)
  const invalid: InvalidSkill[] = []
  const clock = createFakeClock()
  const middleware = createSkillsMiddleware({
    roots: [join(directory.path, 'global'), join(directory.path, 'user')],
    onInvalid: (skill) => void invalid.push(skill),
    clock,
    ...fields,
  })
  const runtime = createTestRuntime()
  return {
    ...{ root: directory.path, put, invalid },
    /** As of a run some seconds later. */
    async prompt() {
      clock.advance(6000)
      return (await middleware.systemPrompt?.(runtime)) ?? ''
    },
    async read(name: string, file?: string) {
      const context = { principal: runtime.principal, signal: runtime.signal, call_id: 'c1' }
      const result = await middleware.tools?.[0]?.run({ name, file }, context)
      const [part] = result?.content ?? []
      return part?.type === 'text' ? part.text : ''
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

const tea = { 'global/make-tea/SKILL.md': skillText('make-tea', 'Makes tea. Use for hot drinks.') }

describe('skills [D7.3]', () => {
  test('are listed in the system prompt by name and description only', async () => {
    await using scene = await setUp({
      ...tea,
      'user/bake/SKILL.md': skillText('bake', 'Bakes bread'),
    })
    const prompt = await scene.prompt()
    expect(prompt).toContain('- bake: Bakes bread\n- make-tea: Makes tea. Use for hot drinks.')
    expect(prompt).not.toContain('Do it well')
    expect(scene.invalid).toEqual([])
  })

  test('are read with the tools they name and their files', async () => {
    await using scene = await setUp({
      'user/bake/SKILL.md': skillText('bake', 'Bakes', 'allowed-tools: read_file Bash(git:*)\n'),
      'user/bake/references/rye.md': 'Rye needs time.',
    })
    const body = await scene.read('bake')
    expect(body).toContain('# How\nDo it well.')
    expect(body).toContain('read_file, Bash(git:*)')
    expect(body).toContain('- references/rye.md')
    expect(await scene.read('bake', 'references/rye.md')).toBe('Rye needs time.')
  })

  test('of the user hide those of all', async () => {
    await using scene = await setUp({
      ...tea,
      'user/my-tea/SKILL.md': skillText('make-tea', 'My way'),
    })
    expect(await scene.prompt()).toContain('- make-tea: My way')
    expect(await scene.prompt()).not.toContain('hot drinks')
  })

  test('may be others for another user', async () => {
    await using scene = await setUp(tea, { roots: () => [] })
    expect(await scene.prompt()).toBe('')
  })

  test('that do not exist are none, and say nothing', async () => {
    await using scene = await setUp({})
    expect(await scene.prompt()).toBe('')
    expect(scene.invalid).toEqual([])
  })

  test('are read again when they have changed, are new or gone', async () => {
    await using scene = await setUp(tea)
    await scene.prompt()
    await scene.put('global/make-tea/SKILL.md', skillText('make-tea', 'Another way'))
    await utimes(join(scene.root, 'global/make-tea/SKILL.md'), 1, 1)
    await scene.put('global/bake/SKILL.md', skillText('bake', 'Bakes'))
    expect(await scene.prompt()).toContain('- bake: Bakes\n- make-tea: Another way')
    await rm(join(scene.root, 'global/make-tea'), { recursive: true })
    expect(await scene.prompt()).not.toContain('make-tea')
  })

  test('many have their names in the prompt, within its tokens', async () => {
    const files = Array.from({ length: 50 }, (_, i) => [
      `global/s${i}/SKILL.md`,
      skillText(`s${i}`, 'word '.repeat(100)),
    ])
    await using scene = await setUp(Object.fromEntries(files), { maxTokens: 1000 })
    const prompt = await scene.prompt()
    expect(prompt.length).toBeLessThan(4500)
    expect(prompt).toContain('by name only:')
    expect(prompt).toContain('s9')
  })
})

describe('a skill that cannot be used is told of once, and the others work', () => {
  test.each([
    ['no front matter', '# Hello', 'front matter'],
    ['an open front matter', '---\nname: x\n', 'front matter'],
    ['no name', '---\ndescription: d\n---\n', 'name'],
    ['a name with a path', skillText('../x', 'd'), 'name'],
    ['a name in capitals', skillText('Make', 'd'), 'name'],
    ['no description', '---\nname: x\n---\n', 'description'],
    ['a long description', skillText('x', 'd'.repeat(1025)), 'description'],
    ['a field twice', skillText('x', 'd', 'name: y\n'), 'twice'],
    ['YAML with an anchor', skillText('x', 'd', 'license: &a b\n'), 'not read here'],
    ['a large file', skillText('x', 'd') + 'x'.repeat(300_000), ''],
  ])('%s', async (_, text, reason) => {
    await using scene = await setUp({ ...tea, 'user/bad/SKILL.md': text })
    expect(await scene.prompt()).toContain('make-tea')
    await scene.prompt()
    expect(scene.invalid).toHaveLength(1)
    expect(scene.invalid[0]).toMatchObject({ reason: expect.stringContaining(reason) })
    expect(scene.invalid[0]?.path).toMatch(/user\/bad$/)
  })

  test('a root that is a file', async () => {
    await using scene = await setUp({ ...tea, user: 'x' })
    expect(await scene.prompt()).toContain('make-tea')
    await scene.prompt()
    expect(scene.invalid).toMatchObject([{ reason: expect.stringContaining('not a directory') }])
  })

  test('a folder without a SKILL.md', async () => {
    await using scene = await setUp({ ...tea, 'user/empty/notes.md': 'x' })
    expect(await scene.prompt()).toContain('make-tea')
    expect(scene.invalid).toMatchObject([{ reason: expect.stringContaining('not exist') }])
  })
})

describe('nothing outside of a skill is read', () => {
  test.each(['../bake/SKILL.md', '..', '/etc/passwd', 'a/../../x', 'link', 'links/x', '..\\x'])(
    '%s',
    async (file) => {
      await using scene = await setUp({ ...tea, 'global/bake/SKILL.md': skillText('bake', 'd') })
      await symlink('/etc/passwd', join(scene.root, 'global/make-tea/link'))
      await symlink('/etc', join(scene.root, 'global/make-tea/links'))
      await expect(scene.read('make-tea', file)).rejects.toMatchObject({ code: 'path_denied' })
    },
  )

  test('a link to a folder is no skill', async () => {
    await using scene = await setUp({ 'elsewhere/SKILL.md': skillText('far', 'd'), ...tea })
    await symlink(join(scene.root, 'elsewhere'), join(scene.root, 'global', 'far'))
    expect(await scene.prompt()).not.toContain('far')
    await scene.prompt()
    expect(scene.invalid).toMatchObject([{ reason: 'it is a link' }])
  })

  test('nor what is no text, or not there, or no skill', async () => {
    await using scene = await setUp({ ...tea, 'global/make-tea/a.bin': 'a\0b' })
    await expect(scene.read('make-tea', 'a.bin')).rejects.toThrow('not text')
    await expect(scene.read('make-tea', 'b.md')).rejects.toMatchObject({ code: 'not_found' })
    await expect(scene.read('coffee')).rejects.toThrow('There are: make-tea.')
  })
})

import { existsSync } from 'node:fs'
import { glob, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { threats } from '../faults/src/table/threats.ts'
import { readGuide, testLanguages } from './readme/describe-guide.ts'
import { type Page, testLinks } from './readme/describe-page.ts'
import { blocksOf, rowsOf } from './readme/page-blocks.ts'
import { repository } from './setup/paths.mjs'

const read = (path: string) => readFile(join(repository, path), 'utf8')

async function readRoot(file: string): Promise<Page> {
  return { title: file, dir: dirname(file), text: await read(file) }
}

const files = (await readdir(join(repository, 'docs'))).filter((file) => file.endsWith('.md'))
const guides = await Promise.all(files.map(readGuide))
const [readme, readmeInChinese] = [await readRoot('README.md'), await readRoot('README.zh-CN.md')]
const stories = await Array.fromAsync(glob('examples/*/README.md', { cwd: repository }))
const others = await Promise.all(
  ['CONTRIBUTING.md', 'SECURITY.md', 'packages/hub/README.md', ...stories.sort()].map(readRoot),
)
const pages = [...guides, readme, readmeInChinese, ...others]

for (const page of pages) if (page.text.includes('](')) testLinks(page)

const guide = (file: string) => guides.find(({ title }) => title === `docs/${file}`)!
/** Pages whose Chinese says the same, row by row; some others have tests of their own. */
const twins = [
  ...['README', 'administration', 'chat', 'concepts', 'first-run', 'headless', 'identity'],
  ...['keybindings', 'mcp-files', 'observability', 'operating', 'sdk', 'security', 'terminal'],
]
/** Those whose questions are in the language of the page. */
const twinsOfQuestions = ['evaluations', 'harbor', 'questions']

for (const name of twins) testLanguages(guide(`${name}.md`), guide(`${name}.zh-CN.md`))
for (const name of twinsOfQuestions) {
  testLanguages(guide(`${name}.md`), guide(`${name}.zh-CN.md`), { hasOwnExamples: true })
}
testLanguages(readme, readmeInChinese)

describe('the index of the documents', () => {
  test.each(['README.md', 'README.zh-CN.md'])(
    'docs/%s leads to every page, or to one that does',
    (index) => {
      const inChinese = index === 'README.zh-CN.md'
      const wanted = files.filter((file) => {
        const isTwin = file.endsWith('.zh-CN.md')
        const hasTwin = files.includes(file.replace('.md', '.zh-CN.md'))
        return inChinese ? isTwin || !hasTwin : !isTwin
      })
      const found = reachableFrom(index)
      expect(wanted.filter((file) => !found.has(file))).toEqual([])
    },
  )
})

/** The pages of `docs` to which links lead, from page to page. */
function reachableFrom(first: string): Set<string> {
  const found = new Set([first])
  for (const file of found) {
    const text = guides.find(({ title }) => title === `docs/${file}`)?.text ?? ''
    for (const [, next] of text.matchAll(/\]\(([\w.-]+\.md)/g)) found.add(`${next}`)
  }
  return found
}

describe('what pages say of commands and settings', async () => {
  const { scripts } = JSON.parse(await read('package.json'))
  const reference = await read('docs/configuration.md')
  const known = new Set(reference.match(/\b(?:DATAAGENT|MCP|OPENAI|ANTHROPIC)_[A-Z_]+\b/g))
  const flags = new Set(rowsOf(reference).flatMap(([name]) => `--${toFlag(name)}`))

  test.each(pages.map((page) => [page.title, page.text]))('%s names what there is', (_, text) => {
    const runs = [...text.matchAll(/npm run ([a-z:]+)/g)].map(([, name]) => `${name}`)
    expect(runs.filter((name) => !(name in scripts))).toEqual([])
    const starts = [...text.matchAll(/npm start -- ([^`#\n]+)/g)].flatMap(([, rest]) =>
      `${rest}`.match(/--[a-z-]+/g),
    )
    const odd = starts.filter((flag) => flag !== null && !isFlag(flag))
    expect(odd).toEqual([])
    const programs = text.match(/(?<=[ \n])(?:examples|packages)\/[\w./-]+\.[mt]s\b/g) ?? []
    expect(programs.filter((path) => !existsSync(join(repository, path)))).toEqual([])
  })

  /** Settings, actions, and switches that are turned off. */
  function isFlag(flag: string): boolean {
    const name = flag.replace('--no-', '--')
    return flags.has(name) || reference.includes(`\`${flag}`) || flag === '--help'
  }

  test('settings that pages name are there', () => {
    const ours = pages.filter(({ title }) => title !== 'docs/configuration.md')
    const named = ours.flatMap(({ title, text }) =>
      [...text.matchAll(/\b(DATAAGENT_[A-Z_]*[A-Z])\b(?!_\*)/g)].map(
        ([, name]) => [title, `${name}`] as const,
      ),
    )
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter(([, name]) => !known.has(name) && !ofTerminal.has(name))).toEqual([])
  })
})

/** The terminal's own. */
const ofTerminal = new Set(['DATAAGENT_SERVER', 'DATAAGENT_API_KEY', 'DATAAGENT_DATA_URL'])

const toFlag = (name = '') => name.replaceAll('`', '').replaceAll('_', '-')

describe('blocks of JSON', () => {
  const blocks = pages.flatMap(({ title, text }) =>
    blocksOf(text, 'json').map((block) => [title, block] as const),
  )

  test.each(blocks)('one of %s can be read', (_, block) => {
    expect(() => JSON.parse(block)).not.toThrow()
  })
})

describe('the guides of the browser', async () => {
  const sources = await Array.fromAsync(glob('apps/web/src/**/*-words.ts', { cwd: repository }))
  const words = (await Promise.all(sources.map(read))).join('\n')

  const told = ['chat', 'administration'].flatMap((name) => [`${name}.md`, `${name}.zh-CN.md`])
  test.each(told)('docs/%s names buttons and pages as they are called', (file) => {
    const { text } = guide(file)
    const inTables = rowsOf(text).flatMap((cells) => namesIn(cells.join(' ')))
    const inSteps = [...text.matchAll(/^(?:\d+\.|-) .*(?:\n {2,}.*)*/gm)].flatMap(([step]) =>
      namesIn(
        step.replace(/^(?:\d+\.|-) \*\*[^*]+\*\* ?(?:tells|has|is|显示|列出|是|记录|读取)/, ''),
      ),
    )
    const names = [...inTables, ...inSteps].filter((name) => !/[.。]$/.test(name))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !words.includes(name))).toEqual([])
  })

  function namesIn(text: string): string[] {
    return [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name]) => `${name}`)
  }
})

describe('the threats of the security model', () => {
  const tables = [guide('security.md'), guide('security.zh-CN.md')].map(({ text }) =>
    rowsOf(text).filter(([id]) => /^\[T\d+\]/.test(`${id}`)),
  )

  test('all of them are there, in order, in both languages', () => {
    const ids = threats.map(({ id }) => id)
    for (const rows of tables) {
      expect(rows.map(([link]) => link?.match(/T\d+/)?.[0])).toEqual(ids)
    }
    const [english = []] = tables
    const texts = english.map(([, what]) => what?.replaceAll('`', ''))
    expect(texts).toEqual(threats.map(({ what }) => what))
  })

  test('each is handled in a place that is there', () => {
    const places = tables.flat().flatMap(([, , where]) => [...`${where}`.matchAll(/`([^`]+)`/g)])
    expect(places.length).toBeGreaterThan(2 * threats.length)
    expect(places.map(([, path]) => `${path}`).filter((path) => !isThere(path))).toEqual([])
  })

  const isThere = (path: string) => existsSync(join(repository, path))
})

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { repository } from '../setup/paths.mjs'
import { blocksOf, withPlaces } from './page-blocks.ts'
import { readMembers } from './test-type-members.ts'

/** The README of a package, and what is said of it in tests. */
export interface Page {
  /** As tests name it, with the ids that it proves. */
  title: string
  /** The package's folder. */
  dir: string
  text: string
}

export interface ProgramOptions {
  /** Makes what programs need; gives what stands in place of what they say. */
  startPlaces(cleanup: AsyncDisposableStack): Promise<Record<string, string>>
  /** What each of them prints, in their order. Default: something. */
  prints?: readonly RegExp[]
}

export async function readPage(title: string, dir: string): Promise<Page> {
  return { title, dir, text: await readFile(join(repository, dir, 'README.md'), 'utf8') }
}

/** A table after `<!-- fields of T -->` lists the fields of T; each of `types` has one. */
export async function describeTables({ title, dir, text }: Page, types: readonly string[]) {
  const membersOf = await readMembers(join(repository, dir, 'src'))
  const tables = [...text.matchAll(/<!-- (?:fields|kinds) of (\w+) -->\n((?:\|.*\n)+)/g)]

  describe(`${title}: its tables`, () => {
    test.each(tables.map(([, type, table]) => [`${type}`, `${table}`]))('%s', (type, table) => {
      const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name)
      expect(listed.sort()).toEqual(membersOf(type).sort())
    })

    test('there is one for each type that a user fills in', () => {
      expect(tables.map(([, type]) => type)).toEqual(types)
    })
  })
}

/** Runs the programs of a page, each in a process of its own. */
export function describePrograms({ title, text }: Page, options: ProgramOptions): void {
  const { startPlaces, prints } = options

  describe(`${title}: its programs`, () => {
    const cleanup = new AsyncDisposableStack()
    let places: Record<string, string>
    let folder: string

    beforeAll(async () => {
      places = await startPlaces(cleanup)
      await mkdir(join(repository, '.cache'), { recursive: true })
      folder = await mkdtemp(join(repository, '.cache/readme-'))
    })

    afterAll(async () => {
      await cleanup.disposeAsync()
      await rm(folder, { recursive: true, force: true })
    })

    const programs = programsOf(text).map((program, i) => ({ program, number: i + 1 }))
    const patience = { timeout: 100_000 }
    test.each(programs)('program $number runs', patience, async ({ program, number }) => {
      const file = join(folder, `${number}.ts`)
      await writeFile(file, withPlaces(program, places))
      const args = ['--conditions=dataagent-source', file]
      const options = { cwd: folder, timeout: 90_000, env: withoutKeys() }
      const { stdout } = await promisify(execFile)(process.execPath, args, options)
      expect(stdout).toMatch(prints?.[number - 1] ?? /./)
    })

    if (!prints) return
    test('what each of them prints is known', () => {
      expect(programs.length).toBe(prints.length)
    })
  })
}

/** A block that begins with an import begins a program, which the blocks after it continue. */
function programsOf(text: string): string[] {
  const programs: string[] = []
  for (const block of blocksOf(text, 'ts')) {
    if (block.startsWith('import ') || programs.length === 0) programs.push(block)
    else programs[programs.length - 1] += block
  }
  return programs
}

/** Nobody's model is asked. */
function withoutKeys(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/_API_KEY$|_MODEL$/.test(name)))
}

/** What a page links to, or names, in the repository is there, and so are the headings. */
export function testLinks({ title, dir, text }: Page): void {
  test(`${title} links to what is there`, async () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => `${link}`)
    const named = [...text.matchAll(/`((?:docs|examples)\/[\w./-]+)`/g)].map(
      ([, path]) => `${path}`,
    )
    expect(links.length + named.length).toBeGreaterThan(0)
    const broken = await Promise.all(links.map(async (link) => ((await isThere(link)) ? [] : link)))
    const missing = named.filter((path) => !existsSync(join(repository, path)))
    expect([...broken.flat(), ...missing]).toEqual([])
  })

  async function isThere(link: string): Promise<boolean> {
    const [path = '', anchor] = link.split('#')
    const place = join(repository, dir, path)
    const linked = path === '' ? text : await readFile(place, 'utf8').catch(() => undefined)
    if (linked === undefined) return readdir(place).then(() => anchor === undefined, isNot)
    return anchor === undefined || anchorsOf(linked).includes(decodeURIComponent(anchor))
  }
}

const isNot = () => false

/** What leads to the headings of a page. */
function anchorsOf(text: string): string[] {
  return headingsOf({ text }).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The headings of a page. */
export function headingsOf({ text }: Pick<Page, 'text'>): string[] {
  return [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => `${heading}`)
}

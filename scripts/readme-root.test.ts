import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Published, publishedPackages } from './build/published-packages.mjs'
import { rowsOf } from './readme/page-blocks.ts'
import { repository } from './setup/paths.mjs'

const read = (path: string) => readFile(join(repository, path), 'utf8')
const languages = [
  { page: 'README.md', lang: 'en' },
  { page: 'README.zh-CN.md', lang: 'zh' },
]

describe.each(languages)('$page', async ({ page, lang }) => {
  const text = await read(page)

  test('begins with what it is and the two commands', () => {
    const [commands] = text.matchAll(/^```sh\n([\s\S]*?)```/gm)
    expect(commands?.[1]).toMatch(/^npm start .*\nnpm test .*\n$/)
    expect(text.slice(0, commands?.index).split('\n').length).toBeLessThan(16)
  })

  test('shows the browser and the terminal as they are', async () => {
    expect(text).toMatch(new RegExp(`!\\[[^\\]]+\\]\\(docs/screens/[\\w-]+\\.${lang}\\.webp\\)`))
    const kept = await Promise.all(['chat', 'approval'].map(captured))
    const shown = [...text.matchAll(/^```\n(❯[\s\S]*?)\n```/gm)].map(([, capture]) => `${capture}`)
    expect(shown).toHaveLength(2)
    for (const capture of shown) expect(kept.some((whole) => whole.includes(capture))).toBe(true)
  })

  const captured = (name: string) => read(`docs/screens/terminal/${name}.${lang}.txt`)

  test('packs what the command needs, to install it from the repository', async () => {
    const [, inPackages = '', inApps = ''] =
      /npm pack .* \.\/packages\/\{(.+)\} \.\/apps\/\{(.+)\}/.exec(text) ?? []
    const packed = [
      ...inPackages.split(',').map((name) => `packages/${name}`),
      ...inApps.split(',').map((name) => `apps/${name}`),
    ]
    const published = await publishedPackages(repository)
    expect(packed.toSorted()).toEqual(neededBy('dataagent', published).toSorted())
  })

  test('tells figures that were measured', async () => {
    const measured = await read('docs/benchmarks.md')
    const [, section = ''] = text.split(/^## (?:Benchmarks|基准测试)$/m)
    const cells = rowsOf(section).flatMap(([, ours = '', theirs = '']) => [ours, theirs])
    const figures = cells.flatMap(
      (cell) => cell.match(/[\d.,–]+(?: \/ [\d.,–]+)+|\d[\d.,–]*\d/g) ?? [],
    )
    expect(figures.length).toBeGreaterThan(14)
    expect(figures.filter((figure) => !measured.includes(figure))).toEqual([])
  })
})

/** The folders of a package and of all that it needs. */
function neededBy(name: string, published: readonly Published[]): string[] {
  const found = published.find((one) => one.name === name)
  const others = found?.needs.flatMap((need) => neededBy(need, published)) ?? []
  return [...new Set([...(found ? [found.dir] : []), ...others])]
}

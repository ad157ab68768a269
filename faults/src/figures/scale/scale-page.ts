import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readResults } from '../results.ts'
import { type LoadShares, type ScaleFigures, toBlocks } from './blocks.ts'
import { chinese, english } from './texts.ts'

const folder = join(import.meta.dirname, '../../../../docs')
const languages = [
  { file: 'scale.md', texts: english },
  { file: 'scale.zh-CN.md', texts: chinese },
]

interface BenchResults {
  benches: { bench: string; results: { name: string; value: number }[] }[]
}

export async function readScaleFigures(): Promise<ScaleFigures> {
  const { growth } = (await readResults('growth.json')) as unknown as ScaleFigures
  const { benches } = (await readResults('results.json')) as unknown as BenchResults
  const all = benches.flatMap(({ results }) => results)
  const rateOf = (atOnce: number) => {
    const wanted = `postgres append, ${atOnce} at a time @100000 rate`
    const found = all.find(({ name }) => name === wanted)
    if (found === undefined) throw new Error(`docs/bench/results.json has no "${wanted}"`)
    return found.value
  }
  const load = (await readResults('load.json')) as LoadShares
  return { growth, load, appends: { alone: rateOf(1), together: rateOf(64) } }
}

/** The pages as they are, and as they are to be. */
export async function fillScalePages(figures: ScaleFigures) {
  return Promise.all(
    languages.map(async ({ file, texts }) => {
      const is = await readFile(join(folder, file), 'utf8')
      return { file, is, shallBe: fill(is, toBlocks(figures, texts)) }
    }),
  )
}

export async function writeScalePages(): Promise<void> {
  for (const { file, shallBe } of await fillScalePages(await readScaleFigures())) {
    await writeFile(join(folder, file), shallBe)
  }
}

/** Puts each table between its marks; throws where a mark is missing. */
export function fill(page: string, blocks: Readonly<Record<string, string>>): string {
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const [begin, end] = [`<!-- figures: ${name} -->\n\n`, '\n\n<!-- end -->']
    const from = text.indexOf(begin)
    const to = text.indexOf(end, from)
    if (from < 0 || to < 0) throw new Error(`the page has no place for "${name}"`)
    return `${text.slice(0, from + begin.length)}${block}${text.slice(to)}`
  }, page)
}

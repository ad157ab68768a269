/** One line of the exposition format of Prometheus. */
export interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)/
const label = /([a-zA-Z_]\w*)="((?:\\.|[^"\\])*)"/g

/** The samples of a scrape; a line that is none is passed over. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((row) => {
    const [, name, labels = '', number] = line.exec(row) ?? []
    const value = Number(number)
    if (name === undefined || Number.isNaN(value)) return []
    return [{ name, labels: parseLabels(labels), value }]
  })
}

function parseLabels(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(label)) {
    found[name] = value.replaceAll(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char))
  }
  return found
}

/** All samples of a name together; undefined where there is none. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  fits: (labels: Sample['labels']) => boolean = () => true,
): number | undefined {
  const found = samples.filter((sample) => sample.name === name && fits(sample.labels))
  if (!samples.some((sample) => sample.name === name)) return undefined
  return found.reduce((sum, { value }) => sum + value, 0)
}

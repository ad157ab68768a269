/** How a text holds questions. A promptfoo configuration may be YAML or JSON. */
export type QuestionFormat = 'json' | 'jsonl' | 'yaml' | 'promptfoo'

const extensions: Readonly<Record<string, QuestionFormat>> = {
  ...{ json: 'json', jsonl: 'jsonl', ndjson: 'jsonl', yaml: 'yaml', yml: 'yaml' },
}

/** By the name of a file; undefined where that tells nothing, and the text must. */
export function formatOf(fileName: string): QuestionFormat | undefined {
  const base = fileName.split(/[/\\]/).at(-1)?.toLowerCase() ?? ''
  if (/^promptfooconfig\b.*\.(?:ya?ml|json)$/.test(base)) return 'promptfoo'
  return extensions[base.split('.').at(-1) ?? '']
}

/** By the text: one object on each of several lines is JSON lines; other brackets are JSON. */
export function guessFormat(text: string): QuestionFormat {
  const lines = text.split('\n', 3).filter((line) => line.trim() !== '')
  const isObject = (line: string) => /^\s*\{.*\}\s*$/.test(line)
  if (lines.length > 1 && lines.every(isObject)) return 'jsonl'
  return /^\s*[[{]/.test(text) ? 'json' : 'yaml'
}

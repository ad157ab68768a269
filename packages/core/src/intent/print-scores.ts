// npm run intent [-- --wrong]: precision and recall of the recogniser on the labelled sentences,
// and what keywords cost.
import { argv, stdout } from 'node:process'
import { createKeywordIndex } from './keywords/keyword-index.ts'
import { type Reading, readSentences, scoreClass } from './labelled/scores.ts'
import { labelledSentences, type SentenceClass } from './labelled/sentences.ts'
import { createIntentRecogniser } from './recogniser.ts'

const classes: readonly SentenceClass[] = ['explicit', 'keyword', 'memory', 'hitl', 'normal']
const recogniser = createIntentRecogniser()

for (const [part, sentences] of Object.entries(labelledSentences)) {
  const readings = readSentences(recogniser, sentences)
  stdout.write(`${part}: ${sentences.length} sentences\n`)
  stdout.write('  language  class      sentences  precision  recall\n')
  for (const language of ['zh', 'en'] as const) {
    const own = readings.filter(({ sentence }) => sentence.language === language)
    for (const of of classes) stdout.write(toLine(language, of, own))
  }
  for (const of of classes) stdout.write(toLine('all', of, readings))
  if (argv.includes('--wrong')) for (const wrong of wrongOf(readings)) stdout.write(wrong)
}

stdout.write('keywords  per 1,000 characters\n')
for (const count of [10, 1_000, 100_000]) {
  stdout.write(`${`${count}`.padStart(8)}  ${costOf(count).toFixed(1)} µs\n`)
}

/** The fastest of several readings of a long message, for each 1,000 of its characters. */
function costOf(count: number): number {
  const trigger_keywords = Array.from({ length: count }, (_, n) => `keyword ${n} 关键词${n}号`)
  const server = { server_id: 's', name: 's', description: 's', trigger_keywords }
  const index = createKeywordIndex([server])
  const message = 'a message with the keyword 7 and 关键词 and much more. '.repeat(400)
  const costs = Array.from({ length: 30 }, () => {
    const start = performance.now()
    index.find(message)
    return ((performance.now() - start) * 1e6) / message.length
  })
  return Math.min(...costs)
}

function toLine(language: string, of: SentenceClass, readings: readonly Reading[]): string {
  const { count, precision, recall } = scoreClass(readings, of)
  const name = `  ${language.padEnd(8)}  ${of.padEnd(9)}`
  return `${name}  ${`${count}`.padStart(9)}  ${precision.toFixed(3).padStart(9)}  ${recall.toFixed(3).padStart(6)}\n`
}

function wrongOf(readings: readonly Reading[]): string[] {
  return readings
    .filter(({ isRight }) => !isRight)
    .map(({ sentence, got }) => `  ${sentence.expected} read as ${got}: ${sentence.text}\n`)
}

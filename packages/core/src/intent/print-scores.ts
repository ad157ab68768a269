// npm run intent: precision and recall of the recogniser on the labelled sentences.
import { argv, stdout } from 'node:process'
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

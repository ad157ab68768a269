import { createInterface } from 'node:readline/promises'

export interface Person {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
}

/** Asks at a terminal. What is no answer, as the end of the input, is no. */
export async function confirm(question: string, person: Person): Promise<boolean> {
  return /^(?:y|yes|是|好)$/i.test((await ask(question, person)).trim())
}

/** The line that was typed; empty where the input ended, or Ctrl-C was typed. */
async function ask(question: string, person: Person): Promise<string> {
  const reader = createInterface(person)
  const left = Promise.withResolvers<string>()
  reader.once('close', () => left.resolve(''))
  reader.once('SIGINT', () => left.resolve(''))
  try {
    return await Promise.race([reader.question(question), left.promise])
  } finally {
    reader.close()
  }
}

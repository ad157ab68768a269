import { text } from 'node:stream/consumers'
import type { RetailPlan } from './retail-sql.ts'
import { writeRetail } from './write-retail.ts'

// A process of its own: the database that makes the files is in no other.

export interface RetailRequest extends RetailPlan {
  /** Empty, to be written into. */
  folder: string
}

export type RetailAnswer = { status: 'ok' } | { status: 'failed'; message: string }

const { folder, ...plan }: RetailRequest = JSON.parse(await text(process.stdin))
process.stdout.write(JSON.stringify(await answer()))

async function answer(): Promise<RetailAnswer> {
  try {
    await writeRetail(folder, plan)
    return { status: 'ok' }
  } catch (error) {
    return { status: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

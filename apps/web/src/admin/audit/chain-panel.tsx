import type { ChainReport } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useAct } from '../../api/use-act.ts'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/details.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { changesWords } from './changes-words.ts'

/** Looks whether nothing was changed since it was written. */
export function ChainPanel() {
  const words = useWords(changesWords)
  const client = useClient()
  const { act, busy } = useAct()
  const [report, setReport] = useState<ChainReport>()
  return (
    <div className="flex flex-col items-start gap-4">
      <p className="max-w-prose text-sm text-soft">{words.verifyAbout}</p>
      <Button
        kind="primary"
        busy={busy === 'verify'}
        onClick={() =>
          act({
            name: 'verify',
            async work() {
              setReport(undefined)
              setReport(await client.audit.verify())
            },
          })
        }
      >
        {words.verify}
      </Button>
      {report && <Report report={report} />}
    </div>
  )
}

function Report({ report: { ok, rows, writers, faults } }: { report: ChainReport }) {
  const words = useWords(changesWords)
  const formats = useFormats()
  const columns: Column<ChainReport['faults'][number]>[] = [
    { name: 'writer', head: words.writer, cell: ({ writer }) => <Mono text={writer} /> },
    { name: 'seq', head: words.seq, align: 'end', cell: ({ seq }) => formats.number(seq) },
    { name: 'what', head: words.fault, cell: ({ what }) => <PlainText text={what} /> },
  ]
  return (
    <div className="flex w-full flex-col gap-4">
      <Notice tone={ok ? 'good' : 'bad'} title={ok ? words.whole : words.broken}>
        {words.counted(formats.number(rows), formats.number(writers))}
      </Notice>
      {faults.length > 0 && (
        <Table
          caption={words.faults}
          columns={columns}
          rows={faults}
          keyOf={({ writer, seq, what }) => `${writer}/${seq}/${what}`}
        />
      )}
    </div>
  )
}

import { evaluationReportSchema } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { evaluationsKey } from '../use-evaluations.ts'
import { runsWords } from './runs-words.ts'

/** A report that `dataagent harbor run` has made elsewhere is listed with the others. */
export function UploadReport() {
  const words = useWords(runsWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)

  async function send(file: File) {
    const report = readReport(await file.text())
    if (!report) return toaster.failed(words.notReport)
    const { run_id } = await client.evaluations.upload(report)
    await queries.invalidateQueries({ queryKey: [evaluationsKey, 'runs'] })
    toaster.done(words.uploaded)
    void navigate({ to: '/evaluations/runs/$runId', params: { runId: run_id } })
  }

  function take(file: File | undefined) {
    if (!file) return
    setBusy(true)
    send(file)
      .catch((error) => toaster.failed(toProblem(error)))
      .finally(() => setBusy(false))
  }

  return (
    <>
      <Button
        busy={busy}
        icon={<Upload aria-hidden="true" className="size-4" />}
        onClick={() => input.current?.click()}
      >
        {words.upload}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json"
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        onChange={({ target }) => {
          take(target.files?.[0])
          target.value = ''
        }}
      />
    </>
  )
}

function readReport(text: string) {
  try {
    return evaluationReportSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

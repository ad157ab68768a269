import type { EvaluationRun } from '@dataagent/schema'
import { Download } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useToaster } from '../../ui/toasts.tsx'
import { useLang, useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { reportWords } from './report-words.ts'

const kinds = {
  html: { ending: 'html', type: 'text/html' },
  junit: { ending: 'xml', type: 'application/xml' },
  json: { ending: 'json', type: 'application/json' },
} as const

/** The report as a file: for people, for a build, for programs. */
export function Downloads({ run: { run_id, name } }: { run: EvaluationRun }) {
  const words = useWords(reportWords)
  const { download } = useWords(evaluationsWords)
  const lang = useLang()
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()

  async function save(format: keyof typeof kinds) {
    const response = await client.evaluations.exportReport(run_id, { format, lang })
    const { ending, type } = kinds[format]
    saveFile(`${name}.${ending}`, await response.blob(), type)
  }

  const item = (format: keyof typeof kinds) => ({
    label: words[format],
    onSelect: () => void save(format).catch((error) => toaster.failed(toProblem(error))),
  })
  return (
    <Menu
      trigger={
        <Button
          aria-label={words.downloads}
          icon={<Download aria-hidden="true" className="size-4" />}
        >
          {download}
        </Button>
      }
      items={[item('html'), item('junit'), item('json')]}
    />
  )
}

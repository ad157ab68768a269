import type { ServerInfo } from '@dataagent/schema'
import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import { settingsWords } from './settings-words.ts'
import { toExport } from './to-export.ts'

/** The configuration of a server, to be taken elsewhere. */
export function Settings({ info }: { info: ServerInfo }) {
  const words = useWords(settingsWords)
  const formats = useFormats()
  const text = JSON.stringify(toExport(info), null, 2)
  return (
    <section aria-label={words.json} className="flex flex-col gap-3">
      <p className="text-sm text-soft">
        {words.changed(formats.time(info.updated_at))}. {words.nextSession}
      </p>
      <p className="max-w-prose text-sm text-soft">{words.about}</p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} />
        <Button
          size="small"
          kind="quiet"
          icon={<Download aria-hidden="true" className="size-3.5" />}
          onClick={() => saveFile(`${info.name}.mcp.json`, text, 'application/json')}
        >
          {words.save}
        </Button>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="max-h-[32rem] overflow-auto rounded-xl border border-line bg-panel p-4 text-[13px]"
      >
        <PlainText text={text} />
      </pre>
    </section>
  )
}

import { Meter } from '../ui/meter.tsx'
import { Notice } from '../ui/notice.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { filesWords } from './files-words.ts'
import { useWorkspace } from './use-files.ts'

/** How full the workspace is. */
export function QuotaBar() {
  const words = useWords(filesWords)
  const formats = useFormats()
  const { data } = useWorkspace()
  if (!data) return null
  const { bytes, quota_bytes, left_bytes, files, dirs } = data
  return (
    <div className="flex flex-col gap-2">
      <div className="flex max-w-md flex-col">
        <Meter
          label={words.used}
          value={bytes}
          max={quota_bytes}
          text={`${words.usage(formats.bytes(bytes), formats.bytes(quota_bytes))} · ${words.counts(formats.number(files), formats.number(dirs))}`}
        />
      </div>
      {left_bytes === 0 && <Notice tone="wait">{words.full}</Notice>}
    </div>
  )
}

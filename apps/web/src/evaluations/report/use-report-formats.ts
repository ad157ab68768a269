import { useFormats, useLang } from '../../words/use-words.ts'

/** Shares and amounts as a report writes them. */
export function useReportFormats() {
  const formats = useFormats()
  const lang = useLang()
  // No line ends between a number and its sign.
  const space = lang === 'en' ? '\u00a0' : ''
  return {
    ...formats,
    /** `83.3 %`; `—` where nothing was counted. */
    percent: (share: number, count = 1) =>
      count === 0 ? '—' : `${formats.number(Math.round(share * 1000) / 10)}${space}%`,
    /** `1.2 s`; `—` where nothing was counted. */
    ms: (ms: number, count = 1) => (count === 0 ? '—' : formats.duration(ms)),
    /** Small amounts keep their digits. */
    amount: (cost: number) => `$${cost < 0.1 ? cost.toPrecision(2) : cost.toFixed(2)}`,
    /** `+1.2 s`, `−300 ms` */
    change: (ms: number) => `${ms < 0 ? '−' : '+'}${formats.duration(Math.abs(ms))}`,
    /** `+4.2 %`, `−10 %`: of the share, not of what it was. */
    changeOfShare: (share: number) =>
      `${share < 0 ? '−' : '+'}${formats.number(Math.abs(Math.round(share * 1000) / 10))}${space}%`,
  }
}

export { renderQuery } from './blocks/query.ts'
export { renderSpinner } from './blocks/spinner.ts'
export { toClipboardSequence } from './clipboard.ts'
export {
  type ApprovalMode,
  type Paint,
  type Screen,
  type Status,
  type Theme,
  type ThemeName,
  type Transcript,
  themeNames,
} from './contract.ts'
export { renderHeader } from './header.ts'
export { toPlain, toPlainLine } from './sanitize.ts'
export { createScreen } from './screen/screen.ts'
export { renderStatus } from './status-line.ts'
export { sparkline } from './table/render-table.ts'
export { createTheme } from './theme.ts'
export { createTranscript } from './transcript/transcript.ts'
export { cut, padEnd, widthOf, wrap } from './width.ts'

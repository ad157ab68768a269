/** The parts of a workbook with one sheet, besides the sheet. */
export const workbookParts: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${head()}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `${head()}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/_rels/workbook.xml.rels': `${head()}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': styles(),
}

/** The workbook that names its sheet; `name` is XML text already. */
export function workbookXml(name: string): string {
  return `${head()}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`
}

/** What stands before the rows: the first row stays in sight, the columns have their widths. */
export function sheetStart(widths: readonly number[]): string {
  const columns = widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  const cols = columns === '' ? '' : `<cols>${columns}</cols>`
  return `${head()}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${cols}<sheetData>`
}

export const sheetEnd = '</sheetData></worksheet>'

function head(): string {
  return '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
}

/** In the order of `cellStyles`. */
function styles(): string {
  const formats = [
    ...['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd hh:mm:ss.000'],
    ...['yyyy-mm-dd hh:mm:ss&quot; UTC&quot;', 'yyyy-mm-dd hh:mm:ss.000&quot; UTC&quot;'],
    ...['hh:mm:ss', 'hh:mm:ss.000'],
  ]
  const numFmts = formats.map((code, i) => `<numFmt numFmtId="${164 + i}" formatCode="${code}"/>`)
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
  const heading = '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
  const formatted = [...formats.map((_, i) => 164 + i), 49].map(
    (id) =>
      `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  return `${head()}<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="${formats.length}">${numFmts.join('')}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formatted.length + 2}">${plain}${heading}${formatted.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

/* The fixed parts of the HTML report: its style, and a script that nobody needs in order to read
 * it. The page forbids itself everything else by its Content-Security-Policy, which names the
 * script by its hash: whoever changes the script changes the hash (tests/report/browser.py says
 * which one is right). */
#ifndef ASSAY_REPORT_PAGE_H
#define ASSAY_REPORT_PAGE_H

extern const char report_style[], report_script[], report_script_hash[];

#endif

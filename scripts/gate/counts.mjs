/** Counts tests from vitest's JSON report: pure. */

/**
 * Returns {passed, failed}. A file that could not be loaded has no tests of its own and counts as one failure; so does
 * a run that ended badly with no failed test to show for it (an unhandled error, a crash, no report at all).
 */
export function countTests(report, exitCode) {
  if (report === null) return { passed: 0, failed: 1 };
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

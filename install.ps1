# Installs memento in Windows for the user who runs it: downloads the binary of the release pinned below, checks it against the
# pins, wires memento into Claude Code, checks that it works. After a failure or an
# interruption the machine is as it was. It needs no administrator, and Windows PowerShell 5.1 or newer. Plain ASCII: 5.1 reads a file without a BOM in the local code page.
#
#   irm https://github.com/mementohq/memento/releases/latest/download/install.ps1 | iex
#   .\install.ps1 [-DryRun] [-Version [X.Y.Z]] [-Uninstall] [-Help]
param(
    [switch]$Version, # alone: say which; before a number: install that one
    [Parameter(Position = 0)][string]$Number = '',
    [switch]$DryRun,
    [switch]$Uninstall,
    [switch]$Help
)

function Install-Memento {
    param([bool]$Version, [string]$Number, [bool]$DryRun, [bool]$Uninstall, [bool]$Help)

    # Written by the release, from plugin/checksums.txt. Lines of sha256sum's form.
# pins: begin
    $release = '0.1.0'
    $pins = @'
6e288438e643edc7cf0a3f944c2a68d076d2ab153dc4214c98a52617b2744026  memento-darwin-amd64
7653615aaee4d86a8191bf89686955f9f63afd64100de93031d6f8a312464d72  memento-darwin-arm64
400000a7f2501a37f0b0988933917ec0d48da47519b67e021e0864a19ee4e9e4  memento-linux-amd64
41556d1f96aecb749c5c314e928ecd75e926d98cd093b922193a38281eb9d330  memento-linux-arm64
a08752639c693de38faa619ac3a61abbba69c2023a18c4ecba9ee4816d795eec  memento-windows-amd64.exe
d009f74a25c6be6ba4e1e493aa3f576683e85fe4caed26eb9715ce5a6b6c8e00  memento-windows-arm64.exe
'@
# pins: end

    $usage = @'
Installs memento for you alone, in Windows. It takes Claude Code 2.1.9 or newer.

Usage:
  irm https://github.com/mementohq/memento/releases/latest/download/install.ps1 | iex
  .\install.ps1 [OPTIONS]
  & ([scriptblock]::Create((irm https://github.com/mementohq/memento/releases/latest/download/install.ps1))) OPTIONS

  -DryRun           say what would be downloaded, written and changed, and change nothing
  -Version          say which version this installs, and from where
  -Version X.Y.Z    install that release; its own checksums.txt is all there is to check it with
  -Uninstall        take everything back; journals, records and settings of memento's stay
  -Help

It writes:
  %LOCALAPPDATA%\memento\bin\memento.exe         the binary
  %USERPROFILE%\.claude\settings.json            its hooks, beside what is there; -Uninstall takes them out
  %USERPROFILE%\.claude\skills\memento\SKILL.md  what Claude knows about it
  %USERPROFILE%\.claude\commands\memento\        its slash commands

Settings, in the environment:
  MEMENTO_BIN_DIR      where the binary goes   (default: %LOCALAPPDATA%\memento\bin)
  CLAUDE_CONFIG_DIR    Claude Code's folder    (default: %USERPROFILE%\.claude)
  MEMENTO_RELEASE_URL  a mirror of https://github.com/mementohq/memento/releases/download
  HTTPS_PROXY is followed, and otherwise the proxy that Windows is set to.
'@

    $ErrorActionPreference = 'Stop'
    $repository = 'https://github.com/mementohq/memento'
    $utf8 = New-Object System.Text.UTF8Encoding $false

    # Fail WHAT WHY HINT ends the script; the catch block prints the words.
    function Fail([string]$what, [string]$why, [string]$hint) {
        throw ('memento: ' + $what + ': ' + $why + "`n" + 'memento: hint: ' + $hint)
    }

    # Join joins the parts of a path. Join-Path fails if the drive does not exist.
    function Join([string]$folder, [string]$name) { return [System.IO.Path]::Combine($folder, $name) }

    # Shown prints an address without the password that a mirror's address may hold.
    function Shown([string]$url) { return ($url -replace '//[^/@]*@', '//***@') }

    # Test-Fetch: is the address https, or http on this machine?
    function Test-Fetch([Uri]$url) {
        if (-not $url.IsAbsoluteUri) { return $false }
        if ($url.Scheme -eq 'https') { return $true }
        return ($url.Scheme -eq 'http' -and $url.UserInfo -eq '' -and @('127.0.0.1', 'localhost', '[::1]') -contains $url.Host)
    }

    # Save-Url downloads to a file of 128 MB at most. It follows redirections itself, none of them from https to http.
    function Save-Url([string]$url, [string]$file) {
        $at = New-Object System.Uri $url
        try {
            for ($hop = 0; $hop -lt 6; $hop++) {
                if (-not (Test-Fetch $at)) { throw 'it was sent on to an address that is neither https nor on this machine' }
                $request = [System.Net.HttpWebRequest]([System.Net.WebRequest]::Create($at))
                $request.AllowAutoRedirect = $false
                $request.UserAgent = 'memento-install'
                $request.Timeout = 60000
                $request.ReadWriteTimeout = 60000
                if ($env:HTTPS_PROXY) {
                    $proxy = New-Object System.Uri $env:HTTPS_PROXY
                    $request.Proxy = New-Object System.Net.WebProxy $proxy, $true
                    if ($proxy.UserInfo) {
                        $login = @($proxy.UserInfo -split ':', 2 | ForEach-Object { [System.Uri]::UnescapeDataString($_) }) + ''
                        $request.Proxy.Credentials = New-Object System.Net.NetworkCredential $login[0], $login[1]
                    }
                } elseif ($request.Proxy) {
                    try { $request.Proxy.Credentials = [System.Net.CredentialCache]::DefaultCredentials } catch { }
                }
                if ($at.UserInfo) {
                    $login = [System.Text.Encoding]::UTF8.GetBytes([System.Uri]::UnescapeDataString($at.UserInfo))
                    $request.Headers.Add('Authorization', 'Basic ' + [System.Convert]::ToBase64String($login))
                }
                $response = $request.GetResponse()
                try {
                    $code = [int]$response.StatusCode
                    if ($code -ge 300 -and $code -lt 400) {
                        $next = $response.Headers['Location']
                        if (-not $next) { throw 'it was sent on to nowhere' }
                        $at = New-Object System.Uri $at, $next
                        continue
                    }
                    $in = $response.GetResponseStream()
                    $out = [System.IO.File]::Create($file)
                    try {
                        $buffer = New-Object byte[] 65536
                        $total = 0
                        while (($n = $in.Read($buffer, 0, $buffer.Length)) -gt 0) {
                            $total += $n
                            if ($total -gt 134217728) { throw 'the answer does not end' }
                            $out.Write($buffer, 0, $n)
                        }
                    } finally {
                        $out.Dispose()
                        $in.Dispose()
                    }
                    return
                } finally {
                    $response.Close()
                }
            }
            throw 'it was sent on too often'
        } catch {
            $hint = 'see that ' + $release + ' is among ' + $repository + '/releases, and that this machine is online'
            $hint = $hint + ' (HTTPS_PROXY names a proxy, MEMENTO_RELEASE_URL a mirror)'
            Fail 'download' ((Shown $url) + ': ' + $_.Exception.GetBaseException().Message) $hint
        }
    }

    # Get-Sum returns a file's SHA-256 in hex. Get-FileHash is in a module that does not load everywhere.
    function Get-Sum([string]$file) {
        $sha = [System.Security.Cryptography.SHA256]::Create()
        $in = [System.IO.File]::OpenRead($file)
        try { return ([System.BitConverter]::ToString($sha.ComputeHash($in)) -replace '-', '').ToLowerInvariant() } finally { $in.Dispose() }
    }

    # Find-Sum returns the sum that a list in sha256sum's form has for a name, '' when it has none or several.
    function Find-Sum([string]$list, [string]$name) {
        $found = @(foreach ($line in ($list -split "`r?`n")) {
                if ($line -match '^([0-9a-f]{64}) [ *](\S+)$' -and $Matches[2] -eq $name) { $Matches[1] }
            })
        if ($found.Count -ne 1) { return '' }
        return $found[0]
    }

    # Test-Memento: does the file hold the path of memento's module? Running an unknown file would be worse.
    function Test-Memento([string]$file) {
        $text = [System.Text.Encoding]::ASCII.GetString([System.IO.File]::ReadAllBytes($file))
        return $text.Contains('github.com/mementohq/memento/cmd/memento')
    }

    # Remove-Old removes what earlier runs left because a session was running it.
    function Remove-Old {
        if (-not (Test-Path -LiteralPath $dir)) { return }
        foreach ($old in [System.IO.Directory]::GetDirectories($dir, '.memento-*')) { try { [System.IO.Directory]::Delete($old, $true) } catch { } }
    }

    # Remove-Empty removes the binaries' folder and its parents up to first, if they are empty.
    function Remove-Empty([string]$first) {
        $at = $dir
        while ($first -and ($at + '\').StartsWith($first.TrimEnd('\') + '\', [System.StringComparison]::OrdinalIgnoreCase)) {
            try { [System.IO.Directory]::Delete($at) } catch { return }
            $at = [System.IO.Path]::GetDirectoryName($at)
        }
    }

    # Invoke-Memento runs a binary and returns its exit code; what it prints is for the person.
    function Invoke-Memento([string]$file, [string[]]$words) {
        & $file @words | Out-Host
        return $LASTEXITCODE
    }

    # New-Work makes a folder for what is downloaded and what is replaced, and returns its path.
    function New-Work([string]$folder) {
        $made = Join $folder ('.memento-' + [Guid]::NewGuid().ToString('N'))
        [void][System.IO.Directory]::CreateDirectory($made)
        return $made
    }

    # Save-Binary downloads the binary into the folder, if it has the right SHA-256.
    function Save-Binary([string]$folder) {
        $list = $pins
        if (-not $pinned) {
            Write-Host ('memento ' + $release + ' is not the release pinned here: it is checked against its own checksums.txt.')
            Write-Host 'That is as good as https and whoever answers there, no better.'
            $file = Join $folder 'checksums.txt'
            Save-Url ($base + '/checksums.txt') $file
            $list = [System.IO.File]::ReadAllText($file)
        }
        $asset = 'memento-windows-' + $arch + '.exe'
        $sum = Find-Sum $list $asset
        if ($sum -eq '') {
            Fail 'download' ('the checksums of memento ' + $release + ' do not list ' + $asset + ' once') ('see ' + $repository + '/releases')
        }
        $url = $base + '/' + $asset
        Write-Host ('Downloading ' + (Shown $url))
        $file = Join $folder 'memento.exe'
        Save-Url $url $file
        $got = Get-Sum $file
        if ($got -ne $sum) {
            $why = (Shown $url) + ' has a wrong checksum, ' + $got + ' in place of ' + $sum + ', and was thrown away'
            Fail 'download' $why 'try again later; if that does not help, report it'
        }
    }

    # Restore-Binary puts the earlier binary back, or removes the new one. A running program cannot be deleted, but renamed.
    function Restore-Binary {
        if (-not $ended -and -not [System.IO.File]::Exists((Join $work 'old.memento.exe'))) {
            try { & $target uninstall | Out-Null } catch { } # it may have been stopped in the middle of its wiring
        }
        $new = Join $work 'memento.exe'
        $old = Join $work 'old.memento.exe'
        try {
            if ([System.IO.File]::Exists($target) -and -not [System.IO.File]::Exists($new)) { [System.IO.File]::Move($target, $new) }
            if ([System.IO.File]::Exists($old)) { [System.IO.File]::Move($old, $target) }
        } catch { [Console]::Error.WriteLine('memento: ' + $action + ': the earlier binary is ' + $old + ': ' + $_.Exception.Message) }
    }

    $action = 'install'
    if ($Uninstall) { $action = 'uninstall' }
    $work = ''
    $firstMade = ''
    $swapped = $false
    $ended = $false
    $security = [System.Net.ServicePointManager]::SecurityProtocol
    try {
        if ($Help) {
            Write-Host $usage
            return 0
        }
        if ([System.Environment]::OSVersion.Platform -ne 'Win32NT') {
            Fail $action 'this script is for Windows' ('curl -fsSL ' + $repository + '/releases/latest/download/install.sh | sh')
        }
        if ($Number -and -not $Version) { Fail $action ('no such option: ' + $Number) '.\install.ps1 -Help' }
        if ($Number -and $Number -notmatch '^v?[0-9][0-9A-Za-z.+-]*$') {
            Fail $action ($Number + ' is not a version; -Version takes one like 0.1.0') '.\install.ps1 -Help'
        }
        if (-not $env:USERPROFILE -or -not $env:LOCALAPPDATA) { Fail $action 'USERPROFILE and LOCALAPPDATA are not both set' 'start PowerShell as yourself' }
        # Windows PowerShell 5.1 may still offer nothing newer than TLS 1.0.
        [System.Net.ServicePointManager]::SecurityProtocol = $security -bor [System.Net.SecurityProtocolType]::Tls12

        $dir = Join $env:LOCALAPPDATA 'memento\bin'
        if ($env:MEMENTO_BIN_DIR) {
            $dir = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($env:MEMENTO_BIN_DIR).TrimEnd('\')
        }
        $target = Join $dir 'memento.exe'
        $config = Join $env:USERPROFILE '.claude'
        if ($env:CLAUDE_CONFIG_DIR) { $config = $env:CLAUDE_CONFIG_DIR }
        $journals = Join $config '.memento'

        $arch = $env:PROCESSOR_ARCHITECTURE
        if ($env:PROCESSOR_ARCHITEW6432) { $arch = $env:PROCESSOR_ARCHITEW6432 }
        switch ($arch) {
            'AMD64' { $arch = 'amd64' }
            'ARM64' { $arch = 'arm64' }
            default { Fail $action ('there is no binary for Windows on ' + $arch) 'memento runs on 64-bit Windows, on x64 and ARM64' }
        }
        $Number = $Number -replace '^v', ''
        $pinned = (-not $Number -or $Number -eq $release)
        if (-not $pinned) { $release = $Number }
        $base = $repository + '/releases/download'
        if ($env:MEMENTO_RELEASE_URL) { $base = $env:MEMENTO_RELEASE_URL.TrimEnd('/') }
        $base = $base + '/v' + $release
        if (-not (Test-Fetch $base)) {
            Fail $action ((Shown $base) + ' is neither https nor on this machine') 'set MEMENTO_RELEASE_URL to an https address, or unset it'
        }
        if ($Version -and -not $Number) {
            Write-Host ('memento ' + $release + ', from ' + (Shown $base))
            return 0
        }
        if ((Test-Path -LiteralPath $target) -and (-not [System.IO.File]::Exists($target) -or -not (Test-Memento $target))) {
            Fail $action ($target + ' is another program, and is not touched') 'set MEMENTO_BIN_DIR to another folder'
        }
        $settings = Join $config 'settings.json'

        if ($Uninstall) {
            $words = @('uninstall')
            if ($DryRun) { $words += '--dry-run' }
            $binary = $target
            if (-not [System.IO.File]::Exists($target)) {
                $named = $false
                if ([System.IO.File]::Exists($settings) -and [System.IO.File]::ReadAllText($settings).Contains('memento')) { $named = $true }
                if (-not $named) {
                    Write-Host ('There is no ' + $target + ', and nothing in ' + $settings + ' that names memento.')
                    return 0
                }
                # Somebody removed the binary first, and every hook now fails. A new binary can still unwire the settings.
                $work = New-Work ([System.IO.Path]::GetTempPath())
                Save-Binary $work
                $binary = Join $work 'memento.exe'
            }
            if ((Invoke-Memento $binary $words) -ne 0) {
                Fail 'uninstall' 'the settings could not be put back, so the binary stays too' 'the lines above say why'
            }
            $isThere = [System.IO.File]::Exists($target)
            if ($DryRun) {
                if ($isThere) { Write-Host ('Would remove ' + $target) }
                Write-Host 'Nothing was changed.'
                return 0
            }
            if ($isThere) {
                # A running program cannot be deleted, but renamed.
                $aside = Join (New-Work $dir) 'old.exe'
                [System.IO.File]::Move($target, $aside)
                Remove-Old
                if ([System.IO.File]::Exists($aside)) { Write-Host ('A session still runs ' + $aside + ': delete it when that has ended.') }
                Write-Host ('Removed ' + $target)
            }
            Remove-Empty ([System.IO.Path]::GetDirectoryName($dir))
            return 0
        }

        if ($DryRun) {
            $asset = 'memento-windows-' + $arch + '.exe'
            $sum = 'its own checksums.txt'
            if ($pinned) { $sum = 'the SHA-256 ' + (Find-Sum $pins $asset) }
            Write-Host ('Would download ' + (Shown ($base + '/' + $asset)) + ', check it against ' + $sum + ', and write ' + $target)
            if ([System.IO.File]::Exists($target)) {
                if ((Invoke-Memento $target @('install', '--dry-run')) -ne 0) { Fail 'install' 'wiring would fail' 'the lines above say why' }
            } else {
                Write-Host ('Would wire its hooks into ' + $settings + ', and keep a copy of the file as it was')
                Write-Host ('Would write ' + (Join $config 'skills\memento\SKILL.md') + ' and the slash commands in ' + (Join $config 'commands\memento'))
            }
            Write-Host 'Then memento doctor would check it. Nothing was changed.'
            return 0
        }

        $at = $dir
        while ($at -and -not (Test-Path -LiteralPath $at)) {
            $firstMade = $at
            $at = [System.IO.Path]::GetDirectoryName($at)
        }
        [void][System.IO.Directory]::CreateDirectory($dir)
        Remove-Old
        $work = New-Work $dir
        Save-Binary $work
        $answer = [string](& (Join $work 'memento.exe') version)
        if ($LASTEXITCODE -ne 0 -or -not $answer.StartsWith('memento ')) {
            Fail 'install' ('the new memento does not run in ' + $dir) 'set MEMENTO_BIN_DIR to a folder that programs may run from'
        }

        # From here every exit restores the binary, and memento install --check wires all or nothing.
        $again = 'the binary was removed again'
        if ([System.IO.File]::Exists($target)) { $again = 'the earlier binary was put back' }
        $swapped = $true
        if ([System.IO.File]::Exists($target)) { [System.IO.File]::Move($target, (Join $work 'old.memento.exe')) }
        [System.IO.File]::Move((Join $work 'memento.exe'), $target)
        $code = Invoke-Memento $target @('install', '--check')
        $ended = $true
        if ($code -ne 0) {
            Fail 'install' ('wiring and checking it failed, so ' + $again + ', and the settings are as they were') 'the lines above say why'
        }
        $swapped = $false
        $firstMade = ''
        Write-Host ('Installed ' + $target)
        Write-Host 'To see it: give a session its first task, then ask Claude: what does memento have on this session?'
        if (@($env:Path -split ';' | ForEach-Object { $_.TrimEnd('\') }) -notcontains $dir) {
            Write-Host ($dir + ' is not on your PATH. Claude runs memento by its path; to type it yourself, or have Claude use it in a pipe: $env:Path += ";' + $dir + '"')
        }
        return 0
    } catch {
        $text = [string]$_.Exception.Message
        if (-not $text.StartsWith('memento: ')) {
            $text = 'memento: ' + $action + ': ' + $text + "`n" + 'memento: hint: see that the folder has room and is yours to write to'
        }
        [Console]::Error.WriteLine($text)
        return 1
    } finally {
        # Also after Ctrl+C.
        [System.Net.ServicePointManager]::SecurityProtocol = $security
        if ($swapped) { Restore-Binary }
        if ($work) { try { [System.IO.Directory]::Delete($work, $true) } catch { } }
        if ($firstMade) { Remove-Empty $firstMade }
    }
}

# The braces stay open in a download that was cut short. Piped into iex there is no file, and exit would close the window.
& {
    $said = @{ Version = [bool]$Version; Number = $Number; DryRun = [bool]$DryRun; Uninstall = [bool]$Uninstall; Help = [bool]$Help }
    $code = @(Install-Memento @said)[-1]
    if ($MyInvocation.ScriptName) { exit $code }
    $global:LASTEXITCODE = $code # for whoever asks
}

"""The names of all programs that are read: a text is looked through without loading the readers."""

from __future__ import annotations

from gate.actions.vocabulary import word_set

NAMES = word_set(
    """
    7z 7za 7zr Rscript ack adduser ag agrep alias aliyun amplify ansible ansible-playbook
    ansible-pull apk apt apt-get aptitude ar arch argocd ash aspell at autossh awk aws az azcopy b2
    b2sum base32 base64 basename bash bat batch beesu bg bind bindfs bleachbit blkdiscard bq break
    brew bsdtar builtin bun bundle bunx bunzip2 busybox bwrap byobu bzcat bzip2 bzr cabal
    caffeinate calife caller cap cargo cat catchsegv cd cdk cfdisk chalice chattr chdir chgrp chmod
    choco chown chpasswd chpst chroot chrt cksum clickhouse-client cmp cockroach column comm
    command compgen complete composer conda continue convex copilot coproc copy cp cpan cpulimit
    createdb crontab csh csplit csvlook csvstat curl cut daemonize dash date dbclient
    dbus-run-session dd del del-cli deluser deno dep df diff dig dir dirname dirs disown dnf doas
    docker docker-compose doctl dokku dotenv dotnet dpkg dropdb du duckdb eatmydata eb echo ed
    egrep emacs emerge enable entr env envdir erase eval ex exa exec exiftool exit expand eza fab
    fakeroot fallocate false fd fdfind fdisk ffprobe fg fgconsole fgrep file find firebase firejail
    fish flatpak flock flux fly flyctl fmt fold ftp fuser gatsby gawk gcloud gdisk gem getfacl
    getopts gfind gh gio git gksu gksudo glab gmake go gosu gradle grep grm groupadd groupdel gsed
    gsutil gtar gtimeout gunzip gxargs gzip halt hash hcloud hd head heirloom-mailx helm help
    heroku hexdump hg history host hostname htmlq http httpie https hub ibmcloud iconv id identify
    init install ionice jobs join jq just k3s kamal kapp kdesu kdesudo kill killall ksh kubectl
    kustomize launchctl ld-linux-aarch64.so.1 ld-linux-x86-64.so.2 ld-linux.so.2
    ld-musl-x86_64.so.1 ld.so ldd less let lftp link linode-cli linux32 linux64 ln lockf logname
    logout look lp lpr ls lsattr lsof ltrace lua luarocks lxc lz4 lzma mail mailx make mamba
    mapfile mariadb mawk mc md5sum micro microk8s mina mise mkdir mke2fs mkfifo mkfs mkfs.btrfs
    mkfs.ext3 mkfs.ext4 mkfs.vfat mkfs.xfs mknod mksh mkswap mktemp mmv mongo mongodump mongosh
    more mosh most mount move msmtp mtr mutt mv mvn mysql mysqladmin mysqldump namei nano nawk nc
    nc.openbsd nc.traditional ncat ncftp neomutt nerdctl netcat netlify nice ninja nix-env nl nm
    nmap node nohup nomad now npm nproc npx nroff nsenter nslookup nvim nwipe objdump oc oci od
    okteto opam openssl openstack osascript pacman parallel parted passwd paste patch pcregrep
    pdftotext perf perl pg_dump pg_dumpall php pico ping ping6 pip pip3 pipenv pipx pkexec pkill
    please plink pm2 pnpm podman podman-compose poetry popd port poweroff powershell pr prename
    printf prlimit proot proxychains proxychains4 pscp psql pulumi pushd pwd pwsh pypy python
    python2 python3 railway rake rbash rc-service rclone rd read readarray readelf readlink
    realpath reboot redis-cli remove-item rename rename.ul render return rev rg rimraf ripgrep
    rlwrap rm rmdir rmtrash rpm rsh rsync ruby run0 runuser s-nail s3cmd safe-rm sam scoop scp
    screen script scrub scw sed sendemail sendmail seq serverless service set setarch setfacl
    setpriv setsid setuidgid sfdisk sftp sgdisk sh sha1sum sha256sum sha512sum shift shipit shopt
    shred shuf shutdown skaffold skill sleep slogin sls snap snowsql socat sort source split sponge
    sqlcmd sqlite3 srm ssh ssh-agent ssmtp stack stat stdbuf strace strings su su-exec sudo
    sudoedit sum supabase super supervisorctl surge suspend sux svn swaks systemctl systemd-inhibit
    systemd-run tac tail tar task taskkill taskset tclsh tcsh tee telinit telnet terraform
    terragrunt test tftp tilt time timeout times tmpreaper tmpwatch tmux tofu torsocks touch toybox
    tr tracepath traceroute trap trash trash-put trash-rm tree true truncate tsort tty twine type
    ulimit umask unalias uname unbuffer unexpand uniq unlink unset unshare unxz unzip unzstd
    useradd userdel usermod uuidgen uv valgrind vdir vercel vi viddy view vim vultr-cli wait watch
    wc werf wget wget2 whereis which whoami whois winget winpty wipe wipefs wrangler xargs xh xhs
    xkill xmllint xvfb-run xxd xz xzcat yarn yash yes yum zappa zcat zgrep zip zless zsh zstd
    zstdcat zypper
    """
)
# verbs whose object may be a command: 'run X', 'do X'
RUNNING = word_set("run execute do type issue enter try invoke call launch start use apply rerun")

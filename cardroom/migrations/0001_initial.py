import cardroom.core.models
import django.contrib.auth.models
import django.contrib.auth.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from cardroom.core.database.guards import FirstMigration


class Migration(FirstMigration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('first_name', models.CharField(blank=True, max_length=150, verbose_name='first name')),
                ('last_name', models.CharField(blank=True, max_length=150, verbose_name='last name')),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('looks', cardroom.core.models.LooksField(editable=False, help_text='The screen name without what makes no difference to the eye, see cardroom.core.names.', max_length=600, unique=True)),
                ('is_bot', models.BooleanField(default=False, help_text='A player of the house, marked as such at the table.')),
                ('personality', models.CharField(blank=True, help_text='How a bot plays; empty for people.', max_length=40)),
                ('four_colour', models.BooleanField(default=False, verbose_name='four-colour deck')),
                ('time_zone', models.CharField(blank=True, help_text="Such as Europe/Berlin: what pages show is in it; empty: the room's.", max_length=60)),
                ('wants_mail', models.BooleanField(default=True, help_text='Starts, prizes, cancellations, and calls from waiting lists: to those who gave an address.', verbose_name='mail about tournaments and calls')),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
                'abstract': False,
                'constraints': [models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='user_screen_name_is_unique', violation_error_message='This name is taken.'), models.CheckConstraint(condition=models.Q(models.Q(('is_bot', False), ('personality', '')), models.Q(('is_bot', True), models.Q(('personality', ''), _negated=True)), _connector='OR'), name='user_personality_is_a_bots')],
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('player', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='member', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('number', models.CharField(help_text='Seven digits or more, and a check digit.', max_length=12, unique=True)),
                ('name', models.CharField(help_text='As on their ID.', max_length=60)),
                ('phone', models.CharField(blank=True, help_text="Digits alone, a + before the country "
                "code.", max_length=20)),
                ('born_on', models.DateField(blank=True, null=True)),
                ('joined_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['phone'], name='member_by_phone'), models.Index(django.db.models.functions.text.Lower('name'), name='member_by_name')],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='member_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Account',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('wallet', 'wallet'), ('stack', 'stack'), ('house', 'house'), ('pool', 'pool'), ('drawer', 'drawer'), ('debt', 'debt')], max_length=20)),
                ('label', models.CharField(blank=True, help_text='Which one, such as "table:7:seat:3".', max_length=100)),
                ('unit', models.CharField(default='cash', help_text='Chips of different units never mix.', max_length=40)),
                ('balance', models.BigIntegerField(default=0, editable=False)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accounts', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('kind', 'stack')), fields=['label'], name='account_stacks_of_a_seat')],
                'constraints': [models.CheckConstraint(condition=models.Q(('kind', 'house'), ('balance__gte', 0), _connector='OR'), name='account_is_not_overdrawn'), models.CheckConstraint(condition=models.Q(models.Q(models.Q(('kind__in', ['house', 'pool', 'drawer']), _negated=True), ('owner__isnull', True), _connector='OR'), models.Q(models.Q(('kind__in', ['wallet', 'stack', 'debt']), _negated=True), ('owner__isnull', False), _connector='OR')), name='account_has_its_owner'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'stack'), _negated=True), models.Q(('label', ''), _negated=True), _connector='OR'), name='account_stack_names_its_seat'), models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['pool', 'drawer']), _negated=True), models.Q(('label', ''), _negated=True), _connector='OR'), name='account_pool_says_what_for'), models.UniqueConstraint(condition=models.Q(('kind', 'wallet')), fields=('owner', 'unit'), name='account_one_wallet_per_player_and_unit'), models.UniqueConstraint(condition=models.Q(('kind', 'house')), fields=('label', 'unit'), name='account_one_of_the_house_per_label_and_unit'), models.UniqueConstraint(condition=models.Q(('kind', 'pool')), fields=('label', 'unit'), name='account_one_pool_per_label_and_unit'), models.UniqueConstraint(condition=models.Q(('kind', 'drawer')), fields=('label', 'unit'), name='account_one_drawer_per_label_and_unit'), models.UniqueConstraint(condition=models.Q(('kind', 'debt')), fields=('owner', 'unit'), name='account_one_debt_per_player_and_unit')],
            },
        ),
        migrations.CreateModel(
            name='Alarm',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=80)),
                ('due_at', models.DateTimeField()),
                ('fence', models.BigIntegerField(help_text="The hand's seq or the level's number when this was set.")),
                ('claimed_until', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'indexes': [models.Index(fields=['due_at'], name='alarm_due')],
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='alarm_one_per_kind_and_key')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('token_key', models.CharField(db_index=True, max_length=25)),
                ('created', models.DateTimeField(auto_now_add=True)),
                ('expiry', models.DateTimeField(blank=True, null=True)),
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('digest', models.CharField(editable=False, max_length=128, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('scopes', models.CharField(help_text='Parted by spaces: "read play".', max_length=60)),
                ('key', models.CharField(blank=True, editable=False, help_text="The caller's own, for a repeat.", max_length=80)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='auth_token_set', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='apitoken_has_a_name'), models.CheckConstraint(condition=models.Q(('scopes', ''), _negated=True), name='apitoken_has_a_scope'), models.CheckConstraint(condition=models.Q(('expiry__isnull', False)), name='apitoken_ends_some_day'), models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('user', 'key'), name='apitoken_one_per_key')],
            },
        ),
        migrations.CreateModel(
            name='Approval',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(max_length=40)),
                ('words', models.CharField(help_text='What is asked for, for people.', max_length=300)),
                ('payload', models.JSONField(default=dict)),
                ('subject', models.CharField(blank=True, max_length=60)),
                ('amount', models.BigIntegerField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('asked_at', models.DateTimeField()),
                ('until', models.DateTimeField(help_text='Expires then if not decided.')),
                ('verdict', models.CharField(blank=True, choices=[('', 'waiting for approval'), ('approved', 'approved'), ('refused', 'refused'), ('taken-back', 'cancelled'), ('over', 'expired')], default='', max_length=10)),
                ('verdict_reason', models.CharField(blank=True, max_length=300)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('answer', models.JSONField(blank=True, null=True)),
                ('asked_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('verdict', '')), fields=['until'], name='approval_waiting'), models.Index(models.OrderBy(models.F('id'), descending=True), models.F('verdict'), name='approval_newest')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('what', ''), _negated=True), models.Q(('words', ''), _negated=True)), name='approval_says_what'), models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('verdict', '')), models.Q(models.Q(('verdict', ''), _negated=True), ('decided_at__isnull', False)), _connector='OR'), name='approval_is_decided_or_waits'), models.CheckConstraint(condition=models.Q(models.Q(('verdict', 'approved'), _negated=True), models.Q(('decided_by__isnull', False), models.Q(('asked_by', None), models.Q(('decided_by', models.F('asked_by')), _negated=True), _connector='OR')), _connector='OR'), name='approval_is_a_second_persons')],
            },
        ),
        migrations.CreateModel(
            name='Ban',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('house', 'banned by the house'), ('self', 'excluded themselves')], max_length=5)),
                ('where', models.CharField(choices=[('online', 'online'), ('room', 'in the room'), ('both', 'online and in the room')], default='both', max_length=6)),
                ('reason', models.CharField(max_length=300)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, help_text='None: permanent.', null=True)),
                ('made_at', models.DateTimeField()),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('lifted_why', models.CharField(blank=True, max_length=300)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lifted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='bans', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('lifted_at', None)), fields=['player', 'until'], name='ban_of_a_player')],
                'constraints': [models.CheckConstraint(condition=models.Q(('until', None), ('until__gt', models.F('since')), _connector='OR'), name='ban_ends_after_it_begins'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='ban_has_a_reason'), models.CheckConstraint(condition=models.Q(('kind', 'house'), ('lifted_at', None), _connector='OR'), name='ban_of_himself_is_not_lifted')],
            },
        ),
        migrations.CreateModel(
            name='BlindCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=60)),
                ('counted', models.BigIntegerField()),
                ('expected', models.BigIntegerField()),
                ('pieces', models.JSONField(blank=True, default=dict, help_text='The number of each: {"100": 4}. Empty: a sum only.')),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(blank=True, null=True)),
                ('posted', models.BooleanField(default=False, help_text='Whether its difference is in the ledger.')),
                ('approval', models.ForeignKey(blank=True, help_text='Where one was needed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='cardroom.approval')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(models.F('subject'), models.OrderBy(models.F('id'), descending=True), name='blindcount_of_a_subject'), models.Index(condition=models.Q(('settled_at', None)), fields=['subject'], name='blindcount_open'), models.Index(condition=models.Q(('posted', True)), fields=['by', 'at'], name='blindcount_what_somebody_did')],
                'constraints': [models.CheckConstraint(condition=models.Q(('counted__gte', 0)), name='blindcount_is_no_debt')],
            },
        ),
        migrations.CreateModel(
            name='Blocked',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('network', 'network'), ('email', 'e-mail'), ('name', 'screen name')], max_length=7)),
                ('value', models.CharField(help_text='192.0.2.0/24, @example.org or a@example.org, a name or its*.', max_length=254)),
                ('reason', models.CharField(max_length=300)),
                ('until', models.DateTimeField(blank=True, help_text='None: permanent.', null=True)),
                ('at', models.DateTimeField()),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('value', ''), _negated=True), name='blocked_is_something'), models.UniqueConstraint(condition=models.Q(('removed_at', None)), fields=('kind', 'value'), name='blocked_is_on_the_list_once')],
            },
        ),
        migrations.CreateModel(
            name='CageLimit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(max_length=10)),
                ('verb', models.CharField(max_length=12)),
                ('slip', models.PositiveBigIntegerField(blank=True, null=True)),
                ('day', models.PositiveBigIntegerField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('role', 'verb'), name='cagelimit_one_per_role_and_verb')],
            },
        ),
        migrations.CreateModel(
            name='ChatLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('said', 'said'), ('announced', 'announcement')], default='said', max_length=10)),
                ('is_staffs', models.BooleanField(default=False, help_text='Whether the author was staff at that time.')),
                ('text', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('hidden_at', models.DateTimeField(blank=True, null=True)),
                ('hidden_why', models.CharField(blank=True, max_length=300)),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chat_lines', to=settings.AUTH_USER_MODEL)),
                ('hidden_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(models.F('at'), name='chatline_by_time'), models.Index(fields=['author', 'at'], name='chatline_of_whom')],
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='chatline_says_something')],
            },
        ),
        migrations.CreateModel(
            name='ChatSilence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(max_length=300)),
                ('lifted_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lifted_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='chat_silences', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('lifted_at', None)), fields=('player',), name='chatsilence_one_at_a_time')],
            },
        ),
        migrations.CreateModel(
            name='Clockwork',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='clockwork_is_one_row')],
            },
        ),
        migrations.CreateModel(
            name='CreditLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('most', models.PositiveBigIntegerField()),
                ('reason', models.CharField(max_length=300)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='credit_lines', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(models.F('player'), models.OrderBy(models.F('id'), descending=True), name='creditline_newest')],
            },
        ),
        migrations.CreateModel(
            name='Drawer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40, unique=True)),
                ('is_in_use', models.BooleanField(default=True, help_text='Whether it may be opened.')),
                ('made_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='drawer_has_a_name')],
            },
        ),
        migrations.CreateModel(
            name='DrawerSession',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('open', 'open'), ('closing', 'counted, waits for approval'), ('closed', 'closed')], default='open', max_length=7)),
                ('opened_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('expected', models.BigIntegerField(blank=True, null=True)),
                ('counted', models.BigIntegerField(blank=True, null=True)),
                ('left_in', models.BigIntegerField(blank=True, help_text='What stayed in the drawer; the rest: vault.', null=True)),
                ('cashier', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drawer_sessions', to=settings.AUTH_USER_MODEL)),
                ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('drawer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sessions', to='cardroom.drawer')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('state', 'closed'), _negated=True), fields=('drawer',), name='drawersession_one_at_a_time'), models.UniqueConstraint(condition=models.Q(('state', 'closed'), _negated=True), fields=('cashier',), name='drawersession_one_per_cashier'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'closed'), _negated=True), models.Q(('closed_at__isnull', False), ('counted__isnull', False), ('expected__isnull', False), ('left_in__isnull', False)), _connector='OR'), name='drawersession_is_counted_when_closed')],
            },
        ),
        migrations.CreateModel(
            name='DrawerCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('opening', 'opening'), ('between', 'in between'), ('closing', 'closing')], max_length=7)),
                ('pieces', models.JSONField(blank=True, default=dict, help_text='The number of each: {"100": 4}. Empty: a sum only.')),
                ('counted', models.BigIntegerField()),
                ('expected', models.BigIntegerField()),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='counts', to='cardroom.drawersession')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('counted__gte', 0)), name='drawercount_is_no_debt'), models.CheckConstraint(condition=models.Q(('counted', models.F('expected')), ('what', 'between'), models.Q(('reason', ''), _negated=True), _connector='OR'), name='drawercount_difference_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='Fault',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('first_at', models.DateTimeField()),
                ('times', models.PositiveIntegerField(default=1)),
                ('sort', models.CharField(blank=True, db_index=True, max_length=32)),
                ('level', models.CharField(max_length=10)),
                ('logger', models.CharField(max_length=80)),
                ('message', models.CharField(max_length=500)),
                ('details', models.JSONField(blank=True, default=dict)),
                ('trace', models.TextField(blank=True)),
            ],
            options={
                'indexes': [models.Index(models.OrderBy(models.F('at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='fault_newest')],
            },
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='heartbeat_is_one_row')],
            },
        ),
        migrations.CreateModel(
            name='LimitChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('deposit-day', 'deposits in a day'), ('deposit-week', 'deposits in a week'), ('deposit-month', 'deposits in a month'), ('loss-day', 'losses in a day'), ('time-day', 'minutes of play in a day'), ('reminder', 'minutes between reminders')], max_length=13)),
                ('amount', models.PositiveBigIntegerField(blank=True, null=True)),
                ('asked_at', models.DateTimeField()),
                ('counts_from', models.DateTimeField()),
                ('cancelled_at', models.DateTimeField(blank=True, null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='limit_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['player', 'kind', 'counts_from'], name='limitchange_of_a_player')],
                'constraints': [models.CheckConstraint(condition=models.Q(('counts_from__gte', models.F('asked_at'))), name='limitchange_looks_ahead'), models.CheckConstraint(condition=models.Q(('cancelled_at', None), ('cancelled_at__lte', models.F('counts_from')), _connector='OR'), name='limitchange_is_cancelled_before_it_counts')],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('text', models.CharField(max_length=300)),
                ('data', models.JSONField(blank=True, default=dict)),
                ('key', models.CharField(blank=True, max_length=110)),
                ('way', models.CharField(blank=True, choices=[('', 'on pages alone'), ('mail', 'on pages and by e-mail'), ('text', 'on pages, by e-mail and by text message'), ('mail-alone', 'by e-mail alone')], default='', max_length=10)),
                ('subject', models.CharField(blank=True, help_text='Of its e-mail; empty: the name of the room.', max_length=80)),
                ('at', models.DateTimeField()),
                ('read_at', models.DateTimeField(blank=True, null=True)),
                ('mailed_at', models.DateTimeField(blank=True, help_text='Claimed for e-mail.', null=True)),
                ('texted_at', models.DateTimeField(blank=True, help_text='Claimed for a text message.', null=True)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(models.F('player'), models.OrderBy(models.F('id'), descending=True), name='house_notice_newest'), models.Index(models.F('player'), condition=models.Q(('read_at__isnull', True)), name='house_notice_unread'), models.Index(models.F('at'), name='house_notice_by_time')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('key', ''), _negated=True), fields=('player', 'key'), name='house_notice_told_once'), models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='house_notice_says_something')],
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
            ],
            options={
                'indexes': [models.Index(fields=['ended_at'], name='outage_by_end')],
                'constraints': [models.CheckConstraint(condition=models.Q(('ended_at__gt', models.F('began_at'))), name='outage_has_a_length')],
            },
        ),
        migrations.CreateModel(
            name='PlayerNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.CharField(max_length=1000)),
                ('flag', models.CharField(blank=True, choices=[('', 'none'), ('watch', 'keep an eye on'), ('dispute', 'dispute'), ('host', 'look after'), ('care', 'responsible gaming')], max_length=8)),
                ('at', models.DateTimeField()),
                ('removed_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='staff_notes', to=settings.AUTH_USER_MODEL)),
                ('removed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('text', ''), _negated=True), name='playernote_says_something')],
            },
        ),
        migrations.CreateModel(
            name='Repeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=40)),
                ('key', models.CharField(max_length=80)),
                ('asked', models.CharField(help_text='SHA-256 of what was asked for.', max_length=64)),
                ('answer', models.JSONField(help_text='The id of the row, or the ids of the rows, that it came to.', null=True)),
                ('at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'verb', 'key'), name='repeat_one_per_key')],
            },
        ),
        migrations.CreateModel(
            name='RoomSession',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('handle', models.CharField(max_length=16, unique=True)),
                ('address', models.GenericIPAddressField(blank=True, null=True)),
                ('agent', models.CharField(blank=True, max_length=200)),
                ('began_at', models.DateTimeField(blank=True, null=True)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('kiosk_by', models.ForeignKey(blank=True, help_text='Who made this screen a kiosk; nobody is logged in there.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='kiosks', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='SealedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=300)),
                ('opened_at', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('agreed_by', models.ForeignKey(help_text='The second person, who opened it; none where it was opened before one was needed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='sealed_views', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='sealed_view_has_a_reason'), models.CheckConstraint(condition=models.Q(('until__gte', models.F('opened_at'))), name='sealed_view_ends_after_it_began')],
            },
        ),
        migrations.CreateModel(
            name='SealedLook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(max_length=100)),
                ('at', models.DateTimeField()),
                ('view', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='looks', to='cardroom.sealedview')),
            ],
        ),
        migrations.CreateModel(
            name='Slip',
            fields=[
                ('id', models.BigIntegerField(editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(choices=[('deposit', 'deposit'), ('withdrawal', 'withdrawal'), ('buy-in', 'buy-in'), ('cash-out', 'cash-out'), ('credit', 'chips on credit'), ('repayment', 'credit repaid'), ('comp', 'comp'), ('comp-used', 'comp used'), ('transfer', 'transfer to a player'), ('fill', 'fill from the vault'), ('take', 'excess to the vault'), ('over-short', 'over or short'), ('vault', 'vault'), ('reversal', 'reversal')], max_length=10)),
                ('amount', models.BigIntegerField(help_text='Below zero: a drawer that was short, money out of the vault.')),
                ('unit', models.CharField(default='cash', max_length=40)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('at', models.DateTimeField()),
                ('approval', models.ForeignKey(blank=True, help_text='Where one was needed.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='cardroom.approval')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slips', to=settings.AUTH_USER_MODEL)),
                ('reverses', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='reversed_by', to='cardroom.slip')),
                ('session', models.ForeignKey(blank=True, help_text='Whose money.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slips', to='cardroom.drawersession')),
                ('to', models.ForeignKey(blank=True, help_text='Of a transfer.', null=True, on_delete=django.db.models.deletion.PROTECT, related_name='slips_received', to=settings.AUTH_USER_MODEL)),
                ('transfer', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='slip', to='cardroom.transfer')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(models.F('player'), models.OrderBy(models.F('id'), descending=True), name='slip_of_a_player'), models.Index(fields=['at'], name='slip_by_time'), models.Index(models.F('session'), models.OrderBy(models.F('id'), descending=True), name='slip_of_a_session'), models.Index(fields=['by', 'kind', 'at'], name='slip_what_somebody_did')],
                'constraints': [models.CheckConstraint(condition=models.Q(('id__gt', 0)), name='slip_has_a_number'), models.CheckConstraint(condition=models.Q(('amount__gt', 0), models.Q(('kind__in', ['over-short', 'vault', 'reversal']), models.Q(('amount', 0), _negated=True)), _connector='OR'), name='slip_is_of_some_amount'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'reversal'), ('reverses__isnull', False)), models.Q(models.Q(('kind', 'reversal'), _negated=True), ('reverses', None)), _connector='OR'), name='slip_reversal_says_of_what'), models.CheckConstraint(condition=models.Q(models.Q(('kind', 'reversal'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='slip_reversal_has_a_reason')],
            },
        ),
        migrations.CreateModel(
            name='CashierRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('deposit', 'deposit'), ('withdrawal', 'withdrawal')], max_length=10)),
                ('amount', models.PositiveBigIntegerField()),
                ('note', models.CharField(blank=True, max_length=200)),
                ('state', models.CharField(choices=[('open', 'waiting for a cashier'), ('done', 'done'), ('refused', 'refused'), ('taken-back', 'cancelled')], default='open', max_length=10)),
                ('answer', models.CharField(blank=True, max_length=300)),
                ('answered_at', models.DateTimeField(blank=True, null=True)),
                ('at', models.DateTimeField()),
                ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cashier_requests', to=settings.AUTH_USER_MODEL)),
                ('slip', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='request', to='cardroom.slip')),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('state', 'open')), fields=['at'], name='cashierrequest_waiting'), models.Index(models.F('player'), models.OrderBy(models.F('id'), descending=True), name='cashierrequest_of_a_player')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='cashierrequest_is_of_some_amount'), models.CheckConstraint(condition=models.Q(models.Q(('slip__isnull', False), ('state', 'done')), models.Q(models.Q(('state', 'done'), _negated=True), ('slip', None)), _connector='OR'), name='cashierrequest_done_has_its_slip')],
            },
        ),
        migrations.CreateModel(
            name='SlipPrint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='0: the receipt; 1: copy 1.')),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('slip', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='prints', to='cardroom.slip')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('slip', 'number'), name='slipprint_one_per_number')],
            },
        ),
        migrations.CreateModel(
            name='StaffAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=60)),
                ('subject', models.CharField(max_length=60)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('details', models.JSONField(blank=True, default=dict)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(models.OrderBy(models.F('at'), descending=True), models.OrderBy(models.F('id'), descending=True), name='staffaction_newest'), models.Index(models.F('subject'), models.OrderBy(models.F('id'), descending=True), name='staffaction_of_a_subject'), models.Index(models.F('player'), models.OrderBy(models.F('id'), descending=True), name='staffaction_of_a_player'), models.Index(models.F('by'), models.OrderBy(models.F('id'), descending=True), name='staffaction_by_somebody')],
                'constraints': [models.CheckConstraint(condition=models.Q(('verb', ''), _negated=True), name='staffaction_says_what')],
            },
        ),
        migrations.CreateModel(
            name='Transfer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(help_text='What it is, said once for ever: "hand:41", "welcome:7".', max_length=200, unique=True)),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['at'], name='transfer_by_time')],
                'constraints': [models.CheckConstraint(condition=models.Q(('reference', ''), _negated=True), name='transfer_has_a_reference')],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField()),
                ('account', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='cardroom.account')),
                ('transfer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='cardroom.transfer')),
            ],
            options={
                'verbose_name_plural': 'entries',
                'indexes': [models.Index(models.F('account'), models.OrderBy(models.F('id'), descending=True), models.F('amount'), name='entry_of_an_account')],
                'constraints': [models.CheckConstraint(condition=models.Q(('amount', 0), _negated=True), name='entry_moves_something'), models.UniqueConstraint(fields=('account', 'transfer'), name='entry_one_per_account_and_transfer')],
            },
        ),
        migrations.CreateModel(
            name='Visit',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('where', models.CharField(choices=[('online', 'online'), ('room', 'in the room'), ('both', 'online and in the room')], default='room', max_length=6)),
                ('way', models.CharField(choices=[('desk', 'at the desk'), ('kiosk', 'at the kiosk'), ('online', 'by logging in')], max_length=6)),
                ('came_at', models.DateTimeField()),
                ('went_at', models.DateTimeField(blank=True, null=True)),
                ('came_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='visits', to=settings.AUTH_USER_MODEL)),
                ('went_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-pk'],
                'indexes': [models.Index(condition=models.Q(('went_at', None)), fields=['where', 'came_at'], name='visit_who_is_here')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('went_at', None)), fields=('player', 'where'), name='visit_one_at_a_time_and_place'), models.CheckConstraint(condition=models.Q(('went_at', None), ('went_at__gte', models.F('came_at')), _connector='OR'), name='visit_ends_after_it_began'), models.CheckConstraint(condition=models.Q(('where', 'both'), _negated=True), name='visit_is_at_one_place')],
            },
        ),
        migrations.CreateModel(
            name='PlayerCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('barcode', models.CharField(help_text='Twelve digits by chance and a check digit.', max_length=13, unique=True)),
                ('issued_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('ended_as', models.CharField(blank=True, choices=[('lost', 'lost'), ('replaced', 'replaced'), ('returned', 'given back')], max_length=8)),
                ('issued_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='cards', to='cardroom.member')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('member',), name='playercard_one_good_one_per_member'), models.CheckConstraint(condition=models.Q(models.Q(('ended_as', ''), ('ended_at', None)), models.Q(('ended_at__isnull', False), models.Q(('ended_as', ''), _negated=True)), _connector='OR'), name='playercard_says_how_it_ended')],
            },
        ),
    ]
